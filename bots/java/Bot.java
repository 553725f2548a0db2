import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Java Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
 * has saved on corner shots.
 *
 * <p>The engine starts it with {@code java -jar bot.jar KEY FOLDER} and asks it for each turn by a line on standard
 * input. Without BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every
 * turn.
 */
public final class Bot {
    private record Cell(int x, int y) {
        Cell plus(Cell other, int times) {
            return new Cell(x + other.x * times, y + other.y * times);
        }
    }

    private record Ship(String name, String nameInMap, int length) {}

    /** An order that fires: its code, and the cells it hits as seen from its centre. */
    private record Weapon(int code, List<Cell> offsets) {}

    private static final List<Ship> SHIPS = List.of(
            new Ship("Carrier", "Carrier", 5), new Ship("Battleship", "Battle Ship", 4),
            new Ship("Cruiser", "Cruiser", 3), new Ship("Submarine", "Submarine", 3),
            new Ship("Destroyer", "Destroyer", 2));
    private static final Cell EAST = new Cell(1, 0);
    private static final Cell NORTH = new Cell(0, 1);
    private static final List<Cell> STEPS = List.of(EAST, NORTH, new Cell(-1, 0), new Cell(0, -1));
    private static final Weapon SINGLE_SHOT = new Weapon(1, List.of(new Cell(0, 0)));
    private static final Weapon CORNER_SHOT =
            new Weapon(4, List.of(new Cell(-1, -1), new Cell(-1, 1), new Cell(1, -1), new Cell(1, 1)));
    private static final String DO_NOTHING = "0,0,0\n";

    private final List<String> map;
    private final int size;
    /** Rows of the opponent's board, the highest y first: '~' new, '*' hit, '!' miss, '@' shielded. */
    private final List<String> opponent;
    /** There are hits on ships that are still afloat. */
    private final boolean wounded;
    private final Random dice;
    private final boolean placing;
    private final boolean canCorner;

    private Bot(List<String> map, String key) throws IOException {
        this.map = map;
        size = number(field("Map Dimensions : ").split(" ")[0]);
        int top = map.indexOf("#".repeat(size) + " Opponent") + 1;
        if (size != 7 && size != 10 && size != 14 || top == 0 || map.size() < top + size) {
            throw new IOException("map.txt is broken: the board");
        }
        opponent = map.subList(top, top + size);
        if (!opponent.stream().allMatch(row -> row.matches("[~*!@]{" + size + "}"))) {
            throw new IOException("map.txt is broken: a row of the board");
        }
        wounded = isAnyWounded();
        // Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones.
        String seed = System.getenv("BROADSIDE_SEED");
        boolean repeatable = seed != null && !seed.isEmpty();
        dice = repeatable ? new Random((seed + " " + key + " " + field("Round Number : ")).hashCode()) : new Random();
        placing = field("Phase : ").equals("1");
        int cornerShotCosts = size == 7 ? 20 : size == 10 ? 30 : 40;
        canCorner = field("Arsenal: ").contains("CornerShot") && number(field("Available Energy: ")) >= cornerShotCosts;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 2) {
            System.err.println("usage: bot.jar KEY FOLDER");
            System.exit(1);
        }
        if (System.getenv("BROADSIDE_STAY") == null) {
            takeTurn(args[0], Path.of(args[1]));
            return;
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            takeTurn(args[0], Path.of(args[1]));
            System.out.println(line); // the same line says that the answer is written
            System.out.flush();
        }
    }

    private static void takeTurn(String key, Path folder) throws IOException {
        Bot bot = read(folder.resolve("map.txt"), key);
        if (bot.placing) {
            Files.writeString(folder.resolve("place.txt"), bot.placeFleet());
        } else {
            Files.writeString(folder.resolve("command.txt"), bot.chooseOrder());
        }
    }

    /** The bot with what map.txt tells. Ends the program if it cannot be read. */
    private static Bot read(Path path, String key) {
        try {
            return new Bot(Files.readAllLines(path), key);
        } catch (IOException error) {
            System.err.println("cannot read " + path + ": " + error);
            System.exit(1);
            return null; // not reached
        }
    }

    private static int number(String text) throws IOException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException error) {
            throw new IOException("map.txt is broken, this is not a number: " + text);
        }
    }

    private String field(String label) throws IOException {
        return field("", label);
    }

    /** What stands behind the first such label of map.txt, from the line on that begins with this section. */
    private String field(String section, String label) throws IOException {
        return map.stream().dropWhile(line -> !line.startsWith(section))
                .filter(line -> line.startsWith(label)).findFirst()
                .orElseThrow(() -> new IOException("map.txt is broken, it lacks: " + section + label))
                .substring(label.length());
    }

    /** Tries random places, longest ship first: then there is always room for the next one. */
    private String placeFleet() {
        Set<Cell> taken = new HashSet<>();
        StringBuilder lines = new StringBuilder();
        for (Ship ship : SHIPS) {
            boolean east;
            Cell start;
            List<Cell> cells;
            do {
                east = dice.nextBoolean();
                int across = dice.nextInt(size);
                int along = dice.nextInt(size - ship.length + 1);
                start = east ? new Cell(along, across) : new Cell(across, along);
                cells = new ArrayList<>();
                for (int i = 0; i < ship.length; i++) {
                    cells.add(start.plus(east ? EAST : NORTH, i));
                }
            } while (cells.stream().anyMatch(taken::contains));
            taken.addAll(cells);
            lines.append(String.format("%s %d %d %s\n", ship.name, start.x, start.y, east ? "east" : "north"));
        }
        return lines.toString();
    }

    /** The best weapon on the centre where it is worth most; a random one of those that are equally good. */
    private String chooseOrder() {
        Weapon weapon = canCorner ? CORNER_SHOT : SINGLE_SHOT;
        int best = 1;
        List<Cell> centres = new ArrayList<>();
        for (int x = 0; x < size; x++) {
            for (int y = 0; y < size; y++) {
                Cell centre = new Cell(x, y);
                int worth = weapon.offsets.stream().mapToInt(offset -> value(centre.plus(offset, 1))).sum();
                if (worth > best) {
                    best = worth;
                    centres.clear();
                }
                if (worth == best) {
                    centres.add(centre);
                }
            }
        }
        if (centres.isEmpty()) {
            return DO_NOTHING;
        }
        Cell centre = centres.get(dice.nextInt(centres.size()));
        return weapon.code + "," + centre.x + "," + centre.y + "\n";
    }

    /** Whether there are hits on ships that are still afloat. */
    private boolean isAnyWounded() throws IOException {
        String afloat = field("Opponent: ", "Ships: ");
        int sunk = SHIPS.stream().filter(ship -> !afloat.contains(ship.nameInMap)).mapToInt(Ship::length).sum();
        return String.join("", opponent).chars().filter(sign -> sign == '*').count() > sunk;
    }

    /** How much a shot at this cell is worth. Every ship has a cell on the black squares of a checkerboard. */
    private int value(Cell cell) {
        if (at(cell) == '@') {
            return 1; // shielded for now; better than nothing
        }
        if (at(cell) != '~') {
            return 0;
        }
        int best = (cell.x + cell.y) % 2 == 0 ? 3 : 2;
        for (Cell step : STEPS) {
            if (wounded && at(cell.plus(step, 1)) == '*') {
                best = Math.max(best, at(cell.plus(step, 2)) == '*' ? 40 : 20);
            }
        }
        return best;
    }

    private char at(Cell cell) {
        boolean onBoard = cell.x >= 0 && cell.x < size && cell.y >= 0 && cell.y < size;
        return onBoard ? opponent.get(size - 1 - cell.y).charAt(cell.x) : ' ';
    }
}
