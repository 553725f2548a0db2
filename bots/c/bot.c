/* C Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy
 * it has saved on double shots.
 *
 * The engine starts it with  ./bot KEY FOLDER  and asks it for each turn by a line on standard input. Without
 * BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SIZE = 14, MAX_FILE = 1 << 20 };
enum { DO_NOTHING = 0, SINGLE_SHOT = 1, DOUBLE_SHOT_VERTICAL = 2, DOUBLE_SHOT_HORIZONTAL = 3 };

static const struct { const char *name, *name_in_map; int length; } SHIPS[] = {
    {"Carrier", "Carrier", 5}, {"Battleship", "Battle Ship", 4}, {"Cruiser", "Cruiser", 3},
    {"Submarine", "Submarine", 3}, {"Destroyer", "Destroyer", 2},
};
enum { SHIP_COUNT = sizeof SHIPS / sizeof SHIPS[0] };

static int size;                           /* the board is size x size */
static char board[MAX_SIZE][MAX_SIZE];     /* the opponent's, [x][y]: '~' new, '*' hit, '!' miss, '@' shielded */
static int wounded;                        /* hits on ships that are still afloat */

static void fail(const char *message, const char *detail)
{
    fprintf(stderr, "%s%s\n", message, detail);
    exit(1);
}

/* What stands behind this label in map.txt. */
static const char *after(const char *text, const char *label)
{
    const char *found = strstr(text, label);
    if (!found)
        fail("map.txt is broken, it lacks: ", label + strspn(label, "\n"));
    return found + strlen(label);
}

static FILE *open_file(const char *folder, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (!file)
        fail("cannot open ", path);
    return file;
}

/* Whether a text is in the list that starts here and ends with its line. */
static int listed(const char *list, const char *item)
{
    const char *found = strstr(list, item);
    return found && found < list + strcspn(list, "\n");
}

/* Fills in what is known of the opponent. The first row of the map is the highest y. */
static void read_opponent(const char *map)
{
    const char *row = after(map, "# Opponent\n");
    for (int y = size - 1; y >= 0; y--, row += size + 1) {
        if (strspn(row, "~*!@") != (size_t)size)
            fail("map.txt is broken: a row of the wrong length", "");
        for (int x = 0; x < size; x++) {
            board[x][y] = row[x];
            wounded += row[x] == '*';
        }
    }
    const char *afloat = after(after(map, "\nOpponent: "), "\nShips: [");
    for (int i = 0; i < SHIP_COUNT; i++)
        if (!listed(afloat, SHIPS[i].name_in_map))
            wounded -= SHIPS[i].length;
}

/* Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones. */
static void seed_dice(int round, const char *key)
{
    const char *seed = getenv("BROADSIDE_SEED");
    char text[256];
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    if (seed && *seed)
        snprintf(text, sizeof text, "%d %s %s", round, key, seed);
    else
        snprintf(text, sizeof text, "%ld %ld %s", (long)now.tv_sec, now.tv_nsec, key);
    unsigned hash = 2166136261u;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    srand(hash);
}

/* Tries random places, longest ship first: then there is always room for the next one. */
static void place_fleet(FILE *out)
{
    int taken[MAX_SIZE][MAX_SIZE] = {{0}};
    for (int i = 0; i < SHIP_COUNT; i++) {
        int x, y, east, clashes, length = SHIPS[i].length;
        do {
            east = rand() % 2;
            x = rand() % (east ? size - length + 1 : size);
            y = rand() % (east ? size : size - length + 1);
            clashes = 0;
            for (int k = 0; k < length; k++)
                clashes += taken[x + k * east][y + k * !east];
        } while (clashes);
        for (int k = 0; k < length; k++)
            taken[x + k * east][y + k * !east] = 1;
        fprintf(out, "%s %d %d %s\n", SHIPS[i].name, x, y, east ? "east" : "north");
    }
}

/* What is known of a cell; 0 off the board. */
static char at(int x, int y)
{
    return x >= 0 && x < size && y >= 0 && y < size ? board[x][y] : 0;
}

/* How much a shot at this cell is worth. Every ship has a cell on the black squares of a checkerboard. */
static int value(int x, int y)
{
    static const int STEPS[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    if (at(x, y) != '~')
        return at(x, y) == '@';            /* shielded for now; better than nothing */
    int best = (x + y) % 2 == 0 ? 3 : 2;
    for (int i = 0; i < 4 && wounded > 0; i++) {
        int dx = STEPS[i][0], dy = STEPS[i][1];
        if (at(x + dx, y + dy) == '*') {
            int worth = at(x + 2 * dx, y + 2 * dy) == '*' ? 40 : 20;
            best = worth > best ? worth : best;
        }
    }
    return best;
}

static int order_value(int code, int x, int y)
{
    switch (code) {
    case DOUBLE_SHOT_VERTICAL: return value(x, y - 1) + value(x, y + 1);
    case DOUBLE_SHOT_HORIZONTAL: return value(x - 1, y) + value(x + 1, y);
    default: return value(x, y);
    }
}

/* The best of the orders with these codes on all centres; a random one of those that are equally good. */
static void write_order(FILE *out, int first_code, int last_code)
{
    int best = 0, equal = 0, best_code = DO_NOTHING, best_x = 0, best_y = 0;
    for (int code = first_code; code <= last_code; code++)
        for (int x = 0; x < size; x++)
            for (int y = 0; y < size; y++) {
                int worth = order_value(code, x, y);
                equal = worth > best ? 1 : equal + (worth == best);
                if (worth > best || (worth == best && worth > 0 && rand() % equal == 0)) {
                    best = worth;
                    best_code = code, best_x = x, best_y = y;
                }
            }
    fprintf(out, "%d,%d,%d\n", best_code, best_x, best_y);
}

/* Notes for you, which the viewers show beside the match: the value of each cell, by rows from y = 0. */
static void note(const char *folder)
{
    FILE *out = open_file(folder, "notes.json", "w");
    fprintf(out, "{\"text\": \"%d hits on ships afloat\", \"numbers\": [", wounded);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            fprintf(out, "%s%d%s", x ? "," : y ? ",[" : "[", value(x, y), x == size - 1 ? "]" : "");
    fprintf(out, "]}\n");
    fclose(out);
}

static void take_turn(const char *key, const char *folder)
{
    static char map[MAX_FILE];
    FILE *file = open_file(folder, "map.txt", "r");
    map[fread(map, 1, sizeof map - 1, file)] = 0;
    fclose(file);

    size = atoi(after(map, "\nMap Dimensions : "));
    if (size != 7 && size != 10 && size != 14)
        fail("map.txt is broken: a board of the wrong size", "");
    wounded = 0;
    read_opponent(map);
    seed_dice(atoi(after(map, "\nRound Number : ")), key);

    int placing = atoi(after(map, "\nPhase : ")) == 1;
    int energy = atoi(after(map, "\nAvailable Energy: "));
    int double_shot_costs = size == 7 ? 16 : size == 10 ? 24 : 32;
    int can_double = listed(after(map, "\nArsenal: ["), "DoubleShot") && energy >= double_shot_costs;
    FILE *out = open_file(folder, placing ? "place.txt" : "command.txt", "w");
    if (placing)
        place_fleet(out);
    else if (can_double)
        write_order(out, DOUBLE_SHOT_VERTICAL, DOUBLE_SHOT_HORIZONTAL);
    else
        write_order(out, SINGLE_SHOT, SINGLE_SHOT);
    if (fclose(out))
        fail("cannot write into ", folder);
    if (!placing)
        note(folder);
}

int main(int argc, char **argv)
{
    char line[64];
    if (argc < 3)
        fail("usage: bot KEY FOLDER", "");
    if (!getenv("BROADSIDE_STAY"))
        take_turn(argv[1], argv[2]);
    else
        while (fgets(line, sizeof line, stdin)) {
            take_turn(argv[1], argv[2]);
            fputs(line, stdout);           /* the same line says that the answer is written */
            fflush(stdout);
        }
    return 0;
}
