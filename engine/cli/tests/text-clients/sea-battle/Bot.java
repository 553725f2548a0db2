import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Start with: java Bot.java PORT */
public class Bot {
    static final int SIZE = 10;
    static final int[][] SIDES = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static final String[] TYPES = {"fourdeck", "battleship", "threeship", "submarine",
            "twoship", "twoship", "oneship", "oneship", "oneship", "oneship"};
    static final int[] LENGTHS = {4, 3, 3, 2, 2, 2, 1, 1, 1, 1};

    static final Pattern GAME = Pattern.compile("\"gameId\"\\s*:\\s*\"([^\"]*)\"");
    static final Pattern MY_SHOTS = Pattern.compile("\"yourShots\"\\s*:\\s*\\[(.*?)\\]", Pattern.DOTALL);
    static final Pattern VISIBLE = Pattern.compile("\"visibleCells\"\\s*:\\s*\\[(.*?)\\]", Pattern.DOTALL);
    static final Pattern OBJECT = Pattern.compile("\\{([^{}]*)\\}");
    static final Pattern X = Pattern.compile("\"x\"\\s*:\\s*(\\d+)");
    static final Pattern Y = Pattern.compile("\"y\"\\s*:\\s*(\\d+)");
    static final Pattern RESULT = Pattern.compile("\"result\"\\s*:\\s*\"(\\w+)\"");

    static final Random random = new Random();
    // Games in which the radar is already spent.
    static final Set<String> radarSpent = ConcurrentHashMap.newKeySet();

    record Cell(int x, int y) {
        boolean onBoard() {
            return x >= 0 && y >= 0 && x < SIZE && y < SIZE;
        }

        Cell plus(int dx, int dy) {
            return new Cell(x + dx, y + dy);
        }

        List<Cell> box() {
            List<Cell> cells = new ArrayList<>();
            for (int dx = -1; dx <= 1; dx++)
                for (int dy = -1; dy <= 1; dy++)
                    if (plus(dx, dy).onBoard()) cells.add(plus(dx, dy));
            return cells;
        }

        String json() {
            return "{\"x\":" + x + ",\"y\":" + y + "}";
        }
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/placement", Bot::placement);
        server.createContext("/move", Bot::move);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.start();
        System.out.println("Bot listens on port " + port);
    }

    static void placement(HttpExchange http) throws IOException {
        String body = read(http);
        radarSpent.remove(find(GAME, body));
        List<String> ships = null;
        while (ships == null) ships = tryFleet();
        send(http, "{\"ships\":[" + String.join(",", ships) + "]}");
    }

    static List<String> tryFleet() {
        Set<Cell> blocked = new HashSet<>();
        List<String> ships = new ArrayList<>();
        for (int i = 0; i < TYPES.length; i++) {
            List<Cell> cells = null;
            for (int attempt = 0; attempt < 200 && cells == null; attempt++) {
                cells = randomShip(LENGTHS[i]);
                if (cells.stream().anyMatch(c -> !c.onBoard() || blocked.contains(c))) cells = null;
            }
            if (cells == null) return null;
            StringJoiner list = new StringJoiner(",", "[", "]");
            for (Cell c : cells) {
                blocked.addAll(c.box());
                list.add(c.json());
            }
            ships.add("{\"type\":\"" + TYPES[i] + "\",\"cells\":" + list + "}");
        }
        return ships;
    }

    static List<Cell> randomShip(int length) {
        Cell start = new Cell(random.nextInt(SIZE), random.nextInt(SIZE));
        boolean flat = random.nextBoolean();
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < length; i++) cells.add(flat ? start.plus(i, 0) : start.plus(0, i));
        return cells;
    }

    static void move(HttpExchange http) throws IOException {
        send(http, choose(read(http)));
    }

    static String choose(String body) {
        Map<Cell, Integer> fired = new HashMap<>();
        Set<Cell> hits = new HashSet<>();
        Deque<Cell> sunk = new ArrayDeque<>();
        Matcher shots = OBJECT.matcher(find(MY_SHOTS, body));
        while (shots.find()) {
            String shot = shots.group(1);
            Cell c = new Cell(Integer.parseInt(find(X, shot)), Integer.parseInt(find(Y, shot)));
            fired.merge(c, 1, Integer::sum);
            String result = find(RESULT, shot);
            if (!result.equals("miss")) hits.add(c);
            if (result.equals("sunk")) sunk.add(c);
        }

        // Take sunk ships out of the hits and close the cells around them.
        Set<Cell> closed = new HashSet<>(fired.keySet());
        while (!sunk.isEmpty()) {
            Cell c = sunk.pop();
            hits.remove(c);
            closed.addAll(c.box());
            for (int[] d : SIDES) {
                Cell n = c.plus(d[0], d[1]);
                if (hits.contains(n)) sunk.push(n);
            }
        }
        // Ships are straight, so the corners of a hit are water.
        for (Cell c : hits)
            for (int dx = -1; dx <= 1; dx += 2)
                for (int dy = -1; dy <= 1; dy += 2) closed.add(c.plus(dx, dy));

        List<Cell> open = new ArrayList<>();
        for (int x = 0; x < SIZE; x++)
            for (int y = 0; y < SIZE; y++)
                if (!closed.contains(new Cell(x, y))) open.add(new Cell(x, y));
        Collections.shuffle(open);

        for (Cell c : open)
            for (int[] d : SIDES)
                if (hits.contains(c.plus(d[0], d[1]))) return shoot(c);
        // Hit, closed in and not sunk: the battleship needs a second hit per cell.
        if (!hits.isEmpty()) return shoot(Collections.min(hits, Comparator.comparing(fired::get)));

        Matcher radars = VISIBLE.matcher(body);
        while (radars.find()) {
            Matcher cells = OBJECT.matcher(radars.group(1));
            while (cells.find()) {
                Cell c = new Cell(Integer.parseInt(find(X, cells.group(1))), Integer.parseInt(find(Y, cells.group(1))));
                if (open.contains(c)) return shoot(c);
            }
        }

        boolean used = Pattern.compile("\"radarUsed\"\\s*:\\s*true").matcher(body).find();
        if (!used && fired.size() >= 10 && radarSpent.add(find(GAME, body))) {
            Cell best = Collections.max(open, Comparator.comparing(c -> c.box().stream().filter(open::contains).count()));
            return "{\"type\":\"radar\",\"center\":" + best.json() + "}";
        }
        return shoot(open.isEmpty() ? new Cell(0, 0) : open.get(0));
    }

    static String shoot(Cell c) {
        return "{\"type\":\"shot\",\"x\":" + c.x() + ",\"y\":" + c.y() + "}";
    }

    static String find(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? m.group(1) : "";
    }

    static String read(HttpExchange http) throws IOException {
        return new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    static void send(HttpExchange http, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        http.getResponseHeaders().set("Content-Type", "application/json");
        http.sendResponseHeaders(200, bytes.length);
        http.getResponseBody().write(bytes);
        http.close();
    }
}
