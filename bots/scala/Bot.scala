// Scala Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
// has saved on cross shots.
//
// The engine starts it with  java -jar bot.jar KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import scala.io.StdIn
import scala.util.Random

case class Cell(x: Int, y: Int) {
  def plus(step: Cell, times: Int = 1): Cell = Cell(x + step.x * times, y + step.y * times)
}

case class Ship(name: String, nameInMap: String, length: Int)

/** An order that fires: its code, and the cells it hits as seen from its centre. */
case class Weapon(code: Int, offsets: Seq[Cell])

object Bot {
  val Ships = Seq(
    Ship("Carrier", "Carrier", 5), Ship("Battleship", "Battle Ship", 4), Ship("Cruiser", "Cruiser", 3),
    Ship("Submarine", "Submarine", 3), Ship("Destroyer", "Destroyer", 2))
  val East = Cell(1, 0)
  val North = Cell(0, 1)
  val Steps = Seq(East, North, Cell(-1, 0), Cell(0, -1))
  val CrossShotCosts = Map(7 -> 28, 10 -> 42, 14 -> 56) // by the size of the board
  val SingleShot = Weapon(1, Seq(Cell(0, 0)))
  val CrossShot = Weapon(6, Cell(0, 0) +: Steps)
  val DoNothing = "0,0,0\n"

  def main(args: Array[String]): Unit = {
    if (args.length < 2) fail("usage: bot.jar KEY FOLDER")
    val (key, folder) = (args(0), Paths.get(args(1)))
    if (System.getenv("BROADSIDE_STAY") == null) takeTurn(key, folder)
    else
      Iterator.continually(StdIn.readLine()).takeWhile(_ != null).foreach { line =>
        takeTurn(key, folder)
        println(line) // the same line says that the answer is written
        Console.flush()
      }
  }

  private def fail(problem: String): Nothing = {
    System.err.println(problem)
    sys.exit(1)
  }

  /** The bot with what map.txt tells. Ends the program if it cannot be read. */
  private def read(path: Path, key: String): Bot =
    try new Bot(new String(Files.readAllBytes(path), UTF_8).split('\n').toList, key)
    catch {
      // Also what is not a number is an illegal argument.
      case error @ (_: IOException | _: IllegalArgumentException) => fail(s"cannot read $path: $error")
    }

  private def takeTurn(key: String, folder: Path): Unit = {
    val bot = read(folder.resolve("map.txt"), key)
    if (bot.isPlacing) write(folder.resolve("place.txt"), bot.placeFleet())
    else write(folder.resolve("command.txt"), bot.chooseOrder())
  }

  private def write(path: Path, text: String): Unit = Files.write(path, text.getBytes(UTF_8))
}

class Bot(map: List[String], key: String) {
  import Bot._

  private val size = field("Map Dimensions : ").takeWhile(_ != ' ').toInt
  /** The opponent's board, the highest y first: '~' new, '*' hit, '!' miss, '@' shielded. */
  private val rows = map.dropWhile(_ != "#" * size + " Opponent").slice(1, size + 1)
  require(CrossShotCosts.contains(size), "map.txt is broken: its size")
  require(rows.length == size && rows.forall(_.length == size), "map.txt is broken: the opponent's board")
  /** True if there are hits on ships that are still afloat. */
  private val isWounded = {
    val afloat = field("Ships: ", "Opponent: ")
    val sunk = Ships.filterNot(ship => afloat.contains(ship.nameInMap)).map(_.length).sum
    rows.map(_.count(_ == '*')).sum > sunk
  }
  private val weapon = {
    val canCross = field("Arsenal: ").contains(",CrossShot") &&
      field("Available Energy: ").toInt >= CrossShotCosts(size)
    if (canCross) CrossShot else SingleShot
  }
  /** Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones. */
  private val dice = sys.env.get("BROADSIDE_SEED").filter(_.nonEmpty) match {
    case Some(seed) => new Random(s"$seed $key ${field("Round Number : ")}".hashCode)
    case None => new Random()
  }
  val isPlacing: Boolean = field("Phase : ") == "1"

  /** The text behind the first such label, from the line on that begins with the section. */
  private def field(label: String, section: String = ""): String =
    map.dropWhile(!_.startsWith(section)).find(_.startsWith(label)) match {
      case Some(line) => line.drop(label.length)
      case None => throw new IllegalArgumentException(s"map.txt is broken, it lacks: $section$label")
    }

  /** Tries random places, longest ship first: then there is always room for the next one. */
  def placeFleet(): String = {
    def tries(ship: Ship): Iterator[(Boolean, Seq[Cell])] = Iterator.continually {
      val isEast = dice.nextBoolean()
      val along = dice.nextInt(size - ship.length + 1)
      val across = dice.nextInt(size)
      val start = if (isEast) Cell(along, across) else Cell(across, along)
      (isEast, (0 until ship.length).map(start.plus(if (isEast) East else North, _)))
    }
    val (_, lines) = Ships.foldLeft((Set.empty[Cell], "")) { case ((taken, lines), ship) =>
      val (isEast, cells) = tries(ship).find { case (_, cells) => !cells.exists(taken) }.get
      val line = s"${ship.name} ${cells.head.x} ${cells.head.y} ${if (isEast) "east" else "north"}\n"
      (taken ++ cells, lines + line)
    }
    lines
  }

  /** The weapon on the centre where it is worth most; a random one of those that are equally good. */
  def chooseOrder(): String = {
    val worth = for (x <- 0 until size; y <- 0 until size) yield {
      val centre = Cell(x, y)
      (centre, weapon.offsets.map(offset => value(centre.plus(offset))).sum)
    }
    val best = worth.map(_._2).max
    if (best == 0) return DoNothing
    val centres = worth.collect { case (centre, `best`) => centre }
    val centre = centres(dice.nextInt(centres.length))
    s"${weapon.code},${centre.x},${centre.y}\n"
  }

  /** The worth of a shot at this cell. Every ship has a cell on the black squares of a checkerboard. */
  private def value(cell: Cell): Int = at(cell) match {
    case '@' => 1 // shielded for now; better than nothing
    case '~' =>
      val hunting = if ((cell.x + cell.y) % 2 == 0) 3 else 2
      val besideHits = Steps.filter(step => isWounded && at(cell.plus(step)) == '*')
      (hunting +: besideHits.map(step => if (at(cell.plus(step, 2)) == '*') 40 else 20)).max
    case _ => 0
  }

  private def at(cell: Cell): Char = {
    val isOnBoard = 0 until size
    if (isOnBoard.contains(cell.x) && isOnBoard.contains(cell.y)) rows(size - 1 - cell.y)(cell.x) else ' '
  }
}
