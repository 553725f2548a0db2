// Kotlin Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
// has saved on seeker missiles.
//
// The engine starts it with  java -jar bot.jar KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.

import java.io.File
import java.io.IOException
import java.util.Random
import kotlin.system.exitProcess

data class Cell(val x: Int, val y: Int) {
    fun plus(step: Cell, times: Int = 1) = Cell(x + step.x * times, y + step.y * times)
}

class Ship(val name: String, val nameInMap: String, val length: Int)

/** An order that fires: its code, and the cells it may hit as seen from its centre. */
class Weapon(val code: Int, val offsets: List<Cell>)

val SHIPS = listOf(
    Ship("Carrier", "Carrier", 5), Ship("Battleship", "Battle Ship", 4), Ship("Cruiser", "Cruiser", 3),
    Ship("Submarine", "Submarine", 3), Ship("Destroyer", "Destroyer", 2)
)
val EAST = Cell(1, 0)
val NORTH = Cell(0, 1)
val STEPS = listOf(EAST, NORTH, Cell(-1, 0), Cell(0, -1))
val SEEKER_MISSILE_COSTS = mapOf(7 to 24, 10 to 36, 14 to 48) // by the size of the board
val SINGLE_SHOT = Weapon(1, listOf(Cell(0, 0)))
val SEEKER_MISSILE = Weapon(7, cells(-2..2, -2..2).filter { it.x * it.x + it.y * it.y <= 4 })
const val DO_NOTHING = "0,0,0\n"

fun cells(xs: IntRange, ys: IntRange) = xs.flatMap { x -> ys.map { y -> Cell(x, y) } }

fun main(args: Array<String>) {
    if (args.size < 2) fail("usage: bot.jar KEY FOLDER")
    val (key, folder) = args
    if (System.getenv("BROADSIDE_STAY") == null) return takeTurn(key, folder)
    for (line in generateSequence(::readLine)) {
        takeTurn(key, folder)
        println(line) // the same line says that the answer is written
        System.out.flush()
    }
}

fun fail(problem: String): Nothing {
    System.err.println(problem)
    exitProcess(1)
}

/** The bot with what map.txt tells. Ends the program if it cannot be read. */
fun read(path: File, key: String): Bot =
    try {
        Bot(path.readLines(), key)
    } catch (error: IOException) {
        fail("cannot read $path: ${error.message}")
    } catch (error: IllegalArgumentException) { // also what is not a number
        fail("cannot read $path: ${error.message}")
    }

fun takeTurn(key: String, folder: String) {
    val bot = read(File(folder, "map.txt"), key)
    if (bot.isPlacing) {
        File(folder, "place.txt").writeText(bot.placeFleet())
    } else {
        File(folder, "command.txt").writeText(bot.chooseOrder())
    }
}

class Bot(private val map: List<String>, key: String) {
    private val size = field("Map Dimensions : ").substringBefore(' ').toInt()
    private val dice = makeDice(key)
    /** The opponent's board, the highest y first: '~' new, '*' hit, '!' miss, '@' shielded. */
    private val rows = map.dropWhile { it != "#".repeat(size) + " Opponent" }.drop(1).take(size)
    /** Hits on ships that are still afloat. */
    private val wounded: Int
    private val weapon: Weapon
    val isPlacing = field("Phase : ") == "1"

    init {
        val cost = requireNotNull(SEEKER_MISSILE_COSTS[size]) { "map.txt is broken: its size" }
        require(rows.size == size && rows.all { it.length == size }) { "map.txt is broken: the opponent's board" }
        val afloat = field("Ships: ", "Opponent: ")
        wounded = rows.map { row -> row.count { it == '*' } }.sum() -
            SHIPS.filter { it.nameInMap !in afloat }.map { it.length }.sum()
        val canSeek = "SeekerMissile" in field("Arsenal: ") && field("Available Energy: ").toInt() >= cost
        weapon = if (canSeek) SEEKER_MISSILE else SINGLE_SHOT
    }

    /** What stands behind the first such label, from the line on that begins with the section. */
    private fun field(label: String, section: String = ""): String {
        val line = map.dropWhile { !it.startsWith(section) }.find { it.startsWith(label) }
        return requireNotNull(line) { "map.txt is broken, it lacks: $section$label" }.removePrefix(label)
    }

    /** Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones. */
    private fun makeDice(key: String): Random {
        val seed = System.getenv("BROADSIDE_SEED")
        if (seed.isNullOrEmpty()) return Random()
        return Random("$seed $key ${field("Round Number : ")}".hashCode().toLong())
    }

    /** Tries random places, longest ship first: then there is always room for the next one. */
    fun placeFleet(): String {
        val taken = mutableSetOf<Cell>()
        return SHIPS.joinToString("") { ship ->
            var east: Boolean
            var cells: List<Cell>
            do {
                east = dice.nextBoolean()
                val along = dice.nextInt(size - ship.length + 1)
                val across = dice.nextInt(size)
                val start = if (east) Cell(along, across) else Cell(across, along)
                cells = List(ship.length) { start.plus(if (east) EAST else NORTH, it) }
            } while (cells.any { it in taken })
            taken += cells
            "${ship.name} ${cells[0].x} ${cells[0].y} ${if (east) "east" else "north"}\n"
        }
    }

    /** The weapon on the centre where it is worth most; a random one of those that are equally good. */
    fun chooseOrder(): String {
        val worth = cells(0 until size, 0 until size).associateWith { centre ->
            weapon.offsets.map { value(centre.plus(it)) }.sum()
        }
        val best = worth.values.fold(0, ::maxOf)
        if (best == 0) return DO_NOTHING
        val centres = worth.filterValues { it == best }.keys.toList()
        val (x, y) = centres[dice.nextInt(centres.size)]
        return "${weapon.code},$x,$y\n"
    }

    /** How much a shot at this cell is worth. Every ship has a cell on the black squares of a checkerboard. */
    private fun value(cell: Cell): Int {
        if (at(cell) == '@') return 1 // shielded for now; better than nothing
        if (at(cell) != '~') return 0
        val hunting = if ((cell.x + cell.y) % 2 == 0) 3 else 2
        val besideHits = STEPS.filter { wounded > 0 && at(cell.plus(it)) == '*' }
        return besideHits.map { if (at(cell.plus(it, 2)) == '*') 40 else 20 }.fold(hunting, ::maxOf)
    }

    private fun at(cell: Cell) = rows.getOrNull(size - 1 - cell.y)?.getOrNull(cell.x) ?: ' '
}
