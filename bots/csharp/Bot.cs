// C# Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
// has saved on cross shots.
//
// The engine starts it with  mono bot.exe KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

public static class Program
{
    public static int Main(string[] args)
    {
        if (args.Length < 2)
        {
            Console.Error.WriteLine("usage: bot.exe KEY FOLDER");
            return 1;
        }
        if (Environment.GetEnvironmentVariable("BROADSIDE_STAY") == null)
        {
            TakeTurn(args[0], args[1]);
            return 0;
        }
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            TakeTurn(args[0], args[1]);
            Console.WriteLine(line); // the same line says that the answer is written
        }
        return 0;
    }

    /// <summary>The bot with what map.txt tells. Ends the program if it cannot be read.</summary>
    static Bot Read(string path, string key)
    {
        try
        {
            return new Bot(File.ReadAllLines(path), key);
        }
        catch (Exception error) when (error is IOException || error is InvalidDataException || error is FormatException)
        {
            Console.Error.WriteLine("cannot read " + path + ": " + error.Message);
            Environment.Exit(1);
            throw; // not reached
        }
    }

    static void TakeTurn(string key, string folder)
    {
        var bot = Read(Path.Combine(folder, "map.txt"), key);
        if (bot.IsPlacing)
            File.WriteAllText(Path.Combine(folder, "place.txt"), bot.PlaceFleet());
        else
            File.WriteAllText(Path.Combine(folder, "command.txt"), bot.ChooseOrder());
    }
}

public class Bot
{
    static readonly (string Name, string NameInMap, int Length)[] Ships =
    {
        ("Carrier", "Carrier", 5), ("Battleship", "Battle Ship", 4), ("Cruiser", "Cruiser", 3),
        ("Submarine", "Submarine", 3), ("Destroyer", "Destroyer", 2),
    };
    static readonly (int X, int Y)[] Steps = { (1, 0), (-1, 0), (0, 1), (0, -1) };
    const string DoNothing = "0,0,0\n";
    // The orders that fire: their code, and the cells they hit as seen from their centre.
    const int SingleShot = 1, CrossShot = 6;
    static readonly (int X, int Y)[] SingleShotCells = { (0, 0) };
    static readonly (int X, int Y)[] CrossShotCells = { (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1) };

    readonly string[] map;
    readonly int size;
    readonly string[] opponent; // rows, the highest y first: '~' new, '*' hit, '!' miss, '@' shielded
    readonly bool wounded;      // there are hits on ships that are still afloat
    readonly bool canCross;     // the ship that carries the cross shot is afloat, and the energy is there
    readonly Random dice;

    public Bot(string[] map, string key)
    {
        this.map = map;
        size = int.Parse(Field("Map Dimensions : ").Split(' ')[0]);
        if (size != 7 && size != 10 && size != 14) throw new InvalidDataException("map.txt is broken: its size");
        opponent = map.SkipWhile(line => line != new string('#', size) + " Opponent").Skip(1).Take(size).ToArray();
        if (opponent.Length < size || opponent.Any(row => row.Length != size || row.Trim('~', '*', '!', '@') != ""))
            throw new InvalidDataException("map.txt is broken: the opponent's board");
        var afloat = Field("Ships: ", "Opponent: ");
        var sunk = Ships.Where(ship => !afloat.Contains(ship.NameInMap)).Sum(ship => ship.Length);
        wounded = opponent.Sum(row => row.Count(sign => sign == '*')) > sunk;
        dice = MakeDice(key);
        IsPlacing = Field("Phase : ") == "1";
        var crossShotCosts = size == 7 ? 28 : size == 10 ? 42 : 56;
        canCross = Field("Arsenal: ").Split('[', ',', ']').Contains("CrossShot")
            && int.Parse(Field("Available Energy: ")) >= crossShotCosts;
    }

    public bool IsPlacing { get; }

    /// <summary>What stands behind the first such label, from the line on that begins with the section.</summary>
    string Field(string label, string section = "")
    {
        var line = map.SkipWhile(other => !other.StartsWith(section, StringComparison.Ordinal))
            .FirstOrDefault(other => other.StartsWith(label, StringComparison.Ordinal));
        if (line == null) throw new InvalidDataException("map.txt is broken, it lacks: " + section + label);
        return line.Substring(label.Length);
    }

    /// <summary>The same random numbers in every match if BROADSIDE_SEED is set, else always new ones.</summary>
    Random MakeDice(string key)
    {
        var seed = Environment.GetEnvironmentVariable("BROADSIDE_SEED");
        if (string.IsNullOrEmpty(seed)) return new Random(Guid.NewGuid().GetHashCode());
        var text = seed + " " + Field("Round Number : ") + " " + key;
        return new Random(text.Aggregate(17, (hash, letter) => unchecked(hash * 31 + letter)));
    }

    /// <summary>Tries random places, longest ship first: then there is always room for the next one.</summary>
    public string PlaceFleet()
    {
        var taken = new HashSet<(int, int)>();
        var lines = "";
        foreach (var ship in Ships)
        {
            bool east;
            int x, y;
            List<(int, int)> cells;
            do
            {
                east = dice.Next(2) == 0;
                x = dice.Next(east ? size - ship.Length + 1 : size);
                y = dice.Next(east ? size : size - ship.Length + 1);
                cells = Enumerable.Range(0, ship.Length).Select(i => east ? (x + i, y) : (x, y + i)).ToList();
            } while (taken.Overlaps(cells));
            taken.UnionWith(cells);
            lines += $"{ship.Name} {x} {y} {(east ? "east" : "north")}\n";
        }
        return lines;
    }

    /// <summary>The weapon on the centre where it is worth most; a random one of those equally good.</summary>
    public string ChooseOrder()
    {
        var code = canCross ? CrossShot : SingleShot;
        var offsets = canCross ? CrossShotCells : SingleShotCells;
        var best = 1;
        var centres = new List<(int X, int Y)>();
        for (var x = 0; x < size; x++)
        {
            for (var y = 0; y < size; y++)
            {
                var worth = offsets.Sum(offset => Value(x + offset.X, y + offset.Y));
                if (worth > best) centres.Clear();
                best = Math.Max(best, worth);
                if (worth == best) centres.Add((x, y));
            }
        }
        if (centres.Count == 0) return DoNothing;
        var centre = centres[dice.Next(centres.Count)];
        return $"{code},{centre.X},{centre.Y}\n";
    }

    /// <summary>What a shot at this cell is worth. Each ship has a cell on a checkerboard's black squares.</summary>
    int Value(int x, int y)
    {
        if (At(x, y) == '@') return 1; // shielded for now; better than nothing
        if (At(x, y) != '~') return 0;
        var best = (x + y) % 2 == 0 ? 3 : 2;
        foreach (var step in Steps)
        {
            if (wounded && At(x + step.X, y + step.Y) == '*')
                best = Math.Max(best, At(x + 2 * step.X, y + 2 * step.Y) == '*' ? 40 : 20);
        }
        return best;
    }

    char At(int x, int y) => x >= 0 && x < size && y >= 0 && y < size ? opponent[size - 1 - y][x] : ' ';
}
