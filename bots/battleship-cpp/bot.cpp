// A bot that plays Battleship by any rules: a program that the engine starts and asks line by line.
//
// Every question has the rules and all that the bot knows, so nothing is remembered between questions.
#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <tuple>
#include "json.h"

using Cell = std::pair<int, int>;
using Cells = std::vector<Cell>;
using Dice = std::mt19937;

const Cells EDGES = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const Cells ALL_AROUND = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

// Random numbers: the same in every match of this name if BROADSIDE_SEED is set, else always new ones.
Dice make_dice(const Json& question) {
    const char* seed = std::getenv("BROADSIDE_SEED");
    if (!seed || !*seed) return Dice(std::random_device{}());
    const std::string turn = std::to_string(question["turn"].number());
    const std::string text = std::string(seed) + " " + question["match"].text() + " " + question["seat"].text() + " " + turn;
    std::seed_seq mix(text.begin(), text.end());
    return Dice(mix);
}

int roll(Dice& dice, int sides) { return static_cast<int>(dice() % static_cast<unsigned>(sides)); }

std::string as_json(const Cell& cell, const std::string& seat = "") {
    const std::string numbers = std::to_string(cell.first) + "," + std::to_string(cell.second);
    return "[" + numbers + (seat.empty() ? "" : "," + quoted(seat)) + "]";
}

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : ",") + item;
    return "[" + text + "]";
}

// Placing

// The cells of a kind of ship as it is drawn.
Cells drawn(const Json& kind) {
    std::vector<std::string> rows;
    if (kind.has("size")) rows.emplace_back(kind["size"].number(), '#');
    else for (const auto& row : kind["shape"].list()) rows.push_back(row.text());
    Cells cells;
    for (size_t y = 0; y < rows.size(); y++)
        for (size_t x = 0; x < rows[y].size(); x++)
            if (rows[y][x] == '#') cells.emplace_back(x, y);
    return cells;
}

// All ways in which a ship can be turned, and mirrored if that is allowed. Each is a list of cells from 0,0 on.
std::vector<Cells> ways_to_lie(const Json& kind, bool mirror) {
    std::set<Cells> ways;
    for (int side = 0; side <= (mirror ? 1 : 0); side++) {
        Cells cells = drawn(kind);
        if (side == 1) for (auto& cell : cells) cell.first = -cell.first;
        for (int turn = 0; turn < 4; turn++) {
            int left = cells[0].first, top = cells[0].second;
            for (const auto& [x, y] : cells) left = std::min(left, x), top = std::min(top, y);
            Cells way;
            for (const auto& [x, y] : cells) way.emplace_back(x - left, y - top);
            std::sort(way.begin(), way.end());
            ways.insert(way);
            for (auto& cell : cells) cell = {-cell.second, cell.first};
        }
    }
    return {ways.begin(), ways.end()};
}

// A place at random where all cells are free; empty if none was found.
Cells free_place(const Json& board, const std::vector<Cells>& ways, const std::set<Cell>& closed, Dice& dice) {
    const int width = board["width"].number(), height = board["height"].number();
    for (int attempt = 0; attempt < 1000; attempt++) {
        Cells cells = ways[roll(dice, static_cast<int>(ways.size()))];
        int right = 0, bottom = 0;
        for (const auto& [x, y] : cells) right = std::max(right, x), bottom = std::max(bottom, y);
        if (right >= width || bottom >= height) continue;
        const int left = roll(dice, width - right), top = roll(dice, height - bottom);
        for (auto& [x, y] : cells) x += left, y += top;
        if (std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) { return closed.count(cell); })) return cells;
    }
    return {};
}

// A fleet at random, largest ships first.
std::string place(const Json& rules, Dice& dice) {
    const std::string touching = rules["touching"].text();
    const Cells kept_free = touching == "allowed" ? Cells{} : touching == "corners" ? EDGES : ALL_AROUND;
    std::vector<std::pair<std::string, std::vector<Cells>>> kinds;
    for (const auto& kind : rules["fleet"].list())
        for (int count = kind["count"].number(); count > 0; count--)
            kinds.emplace_back(kind["name"].text(), ways_to_lie(kind, rules["mirror"].is_true()));
    const auto size = [](const auto& kind) { return kind.second[0].size(); };
    std::stable_sort(kinds.begin(), kinds.end(), [&](const auto& one, const auto& other) { return size(one) > size(other); });
    for (;;) {
        std::vector<std::string> ships;
        std::set<Cell> closed;
        for (const auto& [name, ways] : kinds) {
            const Cells cells = free_place(rules["board"], ways, closed, dice);
            if (cells.empty()) break;  // There may be no room for this ship. Begin anew.
            std::vector<std::string> list;
            for (const auto& cell : cells) {
                list.push_back(as_json(cell));
                closed.insert(cell);
                for (const auto& [dx, dy] : kept_free) closed.emplace(cell.first + dx, cell.second + dy);
            }
            ships.push_back("{\"name\":" + quoted(name) + ",\"cells\":" + joined(list) + "}");
        }
        if (ships.size() == kinds.size()) return "{\"ships\":" + joined(ships) + "}";
    }
}

// Firing

const int BESIDE_HIT = 3;

// A board as it is known.
struct Chart {
    std::map<Cell, char> signs;
    std::set<Cell> wounds;  // the cells that were hit of ships afloat

    explicit Chart(const Json& board) {
        int y = 0;
        for (const auto& row : board["rows"].list()) {
            for (size_t x = 0; x < row.text().size(); x++) signs[{static_cast<int>(x), y}] = row.text()[x];
            y++;
        }
        Cells sunk;
        std::set<Cell> hits;
        for (const auto& [cell, sign] : signs) {
            if (sign == 's') sunk.push_back(cell);
            if (sign == 'x' || sign == 'd') hits.insert(cell);
        }
        int most_of_sunk = -static_cast<int>(sunk.size());
        for (const auto& ship : board["sunk"].list()) most_of_sunk += ship.has("size") ? ship["size"].number() : 100;
        // Hits joined to a cell of a sunk ship are taken to be of that ship: all its cells may not be told.
        wounds = hits;
        while (!sunk.empty()) {
            const auto [x, y] = sunk.back();
            sunk.pop_back();
            for (const auto& [dx, dy] : EDGES)
                if (wounds.erase({x + dx, y + dy})) sunk.emplace_back(x + dx, y + dy);
        }
        // More hits than the sunk ships have cells: ships touch, and some of those hits are of another one.
        if (wounds.empty() && static_cast<int>(hits.size()) > most_of_sunk) wounds = hits;
    }

    char sign_at(const Cell& cell) const {
        const auto found = signs.find(cell);
        return found == signs.end() ? ' ' : found->second;
    }

    bool is_wound(int x, int y) const { return wounds.count({x, y}); }

    int value(const Cell& cell, bool has_armour, int shortest) const {
        const auto [x, y] = cell;
        switch (sign_at(cell)) {
            case '#': return 6;  // Radar saw a ship.
            case 'd': return 5;  // A ship has armour left.
            case '.': break;
            case '?': return has_armour ? 0 : -1;  // A shot whose result is not told.
            default: return -1;  // Nothing is left to hit.
        }
        bool is_beside = false, is_in_line = false;
        for (const auto& [dx, dy] : EDGES) {
            if (!is_wound(x + dx, y + dy)) continue;
            is_beside = true;
            is_in_line = is_in_line || is_wound(x + 2 * dx, y + 2 * dy);
        }
        if (is_beside) return BESIDE_HIT + is_in_line;
        return (x + y) % shortest == 0 ? 2 : 1;  // No ship can evade all cells of this lattice.
    }
};

// The best cells of all boards, or a special action while no ship is known that could be sunk.
std::string fire(const Json& question, Dice& dice) {
    const Json& rules = question["rules"];
    int shortest = 100;
    bool has_armour = false;
    for (const auto& kind : rules["fleet"].list()) {
        const int cells = static_cast<int>(drawn(kind).size());
        // Every shape of two cells or more covers two cells that are neighbours.
        has_armour = has_armour || (kind.has("armour") && kind["armour"].number() > 1);
        shortest = std::min(shortest, kind.has("size") ? cells : std::min(cells, 2));
    }
    std::vector<std::tuple<int, unsigned, std::string>> cells;
    for (const auto& board : question["boards"].list()) {
        if (!board["target"].is_true()) continue;
        const Chart chart(board);
        for (const auto& [cell, sign] : chart.signs)
            cells.emplace_back(chart.value(cell, has_armour, shortest), dice(), as_json(cell, board["seat"].text()));
    }
    std::sort(cells.rbegin(), cells.rend());
    const auto& [best, random, aim] = cells.at(0);
    for (const auto& special : rules["specials"].list()) {
        const std::string name = special["name"].text();
        // question["specials"] has those that can be taken now.
        if (best < BESIDE_HIT && special["kind"].text() != "sonar" && question["specials"].has(name))
            return "{\"special\":" + quoted(name) + ",\"aim\":" + aim + "}";
    }
    std::vector<std::string> shots = {aim};
    for (size_t nth = 1; nth < cells.size() && static_cast<int>(nth) < question["shots"].number(); nth++)
        if (std::get<0>(cells[nth]) >= 0) shots.push_back(std::get<2>(cells[nth]));
    return "{\"shots\":" + joined(shots) + "}";
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const Json question = Json::parse(line);
        Dice dice = make_dice(question);
        // Nothing else may be written to standard output; print what you want to know to std::cerr.
        std::cout << (question["act"].text() == "place" ? place(question["rules"], dice) : fire(question, dice)) << std::endl;
    }
}
