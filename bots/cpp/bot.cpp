// C++ Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy
// it has saved on corner shots.
//
// The engine starts it with  ./bot KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using Cell = std::pair<int, int>;
using Cells = std::vector<Cell>;

struct Ship {
    std::string name, name_in_map;
    int length;
};

// An order that fires: its code and the cells it hits, seen from its centre.
struct Weapon {
    int code;
    Cells cells;
};

// What map.txt tells of the game.
struct View {
    int size, round, phase, energy;
    bool carrier_afloat;
    std::vector<std::string> opponent;  // rows from y = 0 up: '~' new, '*' hit, '!' miss, '@' shielded
    int wounded;                        // hits on ships that are still afloat

    char at(int x, int y) const { return x >= 0 && x < size && y >= 0 && y < size ? opponent[y][x] : ' '; }
};

const std::array<Ship, 5> SHIPS{{{"Carrier", "Carrier", 5},
                                 {"Battleship", "Battle Ship", 4},
                                 {"Cruiser", "Cruiser", 3},
                                 {"Submarine", "Submarine", 3},
                                 {"Destroyer", "Destroyer", 2}}};
const Weapon SINGLE_SHOT{1, {{0, 0}}};
const Weapon CORNER_SHOT{4, {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
const std::string DO_NOTHING = "0,0,0\n";

// Ends the program: for what is wrong with its files. Exceptions are for errors of the program, and end it, too.
[[noreturn]] void fail(const std::string& problem) {
    std::cerr << problem << '\n';
    std::exit(1);
}

// The rest of the line that starts with this label, from the given place on.
std::string field(const std::string& map, const std::string& label, size_t from = 0) {
    const auto start = map.find("\n" + label, from);
    const auto end = map.find('\n', start == std::string::npos ? start : start + 1);
    if (end == std::string::npos) fail("map.txt is broken, it lacks: " + label);
    return map.substr(start + 1 + label.size(), end - start - 1 - label.size());
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

View read_view(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail("cannot open " + path);
    const std::string map{std::istreambuf_iterator<char>(file), {}};

    View view{};
    view.size = std::atoi(field(map, "Map Dimensions : ").c_str());
    view.round = std::atoi(field(map, "Round Number : ").c_str());
    view.phase = std::atoi(field(map, "Phase : ").c_str());
    view.energy = std::atoi(field(map, "Available Energy: ").c_str());
    view.carrier_afloat = contains(field(map, "Arsenal: "), "CornerShot");
    if (view.size != 7 && view.size != 10 && view.size != 14) fail("map.txt is broken: its size");

    const std::string title = std::string(view.size, '#') + " Opponent\n";
    const auto found = map.find(title);
    if (found == std::string::npos) fail("map.txt is broken: it lacks the opponent's board");
    const auto board = found + title.size();
    for (int y = 0; y < view.size; y++) {
        const auto start = std::min(map.size(), board + (view.size - 1 - y) * (view.size + 1));  // highest y first
        const auto row = map.substr(start, view.size);
        if (row.size() != static_cast<size_t>(view.size) || row.find_first_not_of("~*!@") != std::string::npos)
            fail("map.txt is broken: a row");
        view.opponent.push_back(row);
        view.wounded += static_cast<int>(std::count(row.begin(), row.end(), '*'));
    }
    const auto afloat = field(map, "Ships: ", map.find("\nOpponent: "));
    for (const auto& ship : SHIPS)
        if (!contains(afloat, ship.name_in_map)) view.wounded -= ship.length;
    return view;
}

// Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones.
std::mt19937 make_dice(int round, const std::string& key) {
    const char* seed = std::getenv("BROADSIDE_SEED");
    if (!seed || !*seed) return std::mt19937(std::random_device{}());
    const std::string text = std::string(seed) + " " + std::to_string(round) + " " + key;
    std::seed_seq mix(text.begin(), text.end());
    return std::mt19937(mix);
}

int roll(std::mt19937& dice, size_t sides) { return static_cast<int>(dice() % sides); }

// Tries random places, longest ship first: then there is always room for the next one.
std::string place_fleet(int size, std::mt19937& dice) {
    std::set<Cell> taken;
    std::string lines;
    for (const auto& ship : SHIPS) {
        Cells cells;
        int x, y;
        bool east;
        do {
            east = roll(dice, 2) == 0;
            x = roll(dice, east ? size - ship.length + 1 : size);
            y = roll(dice, east ? size : size - ship.length + 1);
            cells.clear();
            for (int i = 0; i < ship.length; i++) cells.emplace_back(east ? x + i : x, east ? y : y + i);
        } while (std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return taken.count(cell) > 0; }));
        taken.insert(cells.begin(), cells.end());
        lines += ship.name + " " + std::to_string(x) + " " + std::to_string(y) + (east ? " east\n" : " north\n");
    }
    return lines;
}

// How much a shot at this cell is worth. Every ship has a cell on the black squares of a checkerboard.
int value(const View& view, int x, int y) {
    if (view.at(x, y) == '@') return 1;  // shielded for now; better than nothing
    if (view.at(x, y) != '~') return 0;
    int best = (x + y) % 2 == 0 ? 3 : 2;
    if (view.wounded <= 0) return best;
    for (const auto& [dx, dy] : Cells{{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
        if (view.at(x + dx, y + dy) == '*') best = std::max(best, view.at(x + 2 * dx, y + 2 * dy) == '*' ? 40 : 20);
    return best;
}

// The weapon on the centre where it is worth most; a random one of those that are equally good.
std::string choose_order(const View& view, const Weapon& weapon, std::mt19937& dice) {
    int best = 1;
    Cells centres;
    for (int x = 0; x < view.size; x++)
        for (int y = 0; y < view.size; y++) {
            int worth = 0;
            for (const auto& [dx, dy] : weapon.cells) worth += value(view, x + dx, y + dy);
            if (worth > best) centres.clear();
            best = std::max(best, worth);
            if (worth == best) centres.emplace_back(x, y);
        }
    if (centres.empty()) return DO_NOTHING;
    const auto [x, y] = centres[roll(dice, centres.size())];
    return std::to_string(weapon.code) + "," + std::to_string(x) + "," + std::to_string(y) + "\n";
}

void take_turn(const std::string& key, const std::string& folder) {
    const View view = read_view(folder + "/map.txt");
    auto dice = make_dice(view.round, key);

    const int corner_shot_costs = view.size == 7 ? 20 : view.size == 10 ? 30 : 40;
    const bool can_corner = view.carrier_afloat && view.energy >= corner_shot_costs;
    const std::string text = view.phase == 1 ? place_fleet(view.size, dice)
                                             : choose_order(view, can_corner ? CORNER_SHOT : SINGLE_SHOT, dice);
    // Only now: an error above leaves no empty file.
    std::ofstream out(folder + (view.phase == 1 ? "/place.txt" : "/command.txt"));
    out << text;
    out.close();
    if (!out) fail("cannot write into " + folder);
}

int main(int argc, char** argv) {
    if (argc < 3) fail("usage: bot KEY FOLDER");
    if (!std::getenv("BROADSIDE_STAY"))
        take_turn(argv[1], argv[2]);
    else
        for (std::string line; std::getline(std::cin, line);) {
            take_turn(argv[1], argv[2]);
            std::cout << line << std::endl;  // the same line says that the answer is written
        }
}
