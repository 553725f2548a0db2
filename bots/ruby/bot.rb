# Ruby Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
# has saved on seeker missiles.
#
# The engine starts it with  ruby bot.rb KEY FOLDER  and asks it for each turn by a line on standard input. Without
# BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
require "json"
require "zlib"

SHIPS = { "Carrier" => 5, "Battleship" => 4, "Cruiser" => 3, "Submarine" => 3, "Destroyer" => 2 }.freeze
STEPS = [[1, 0], [-1, 0], [0, 1], [0, -1]].freeze
DO_NOTHING = "0,0,0\n"

# An order that fires: its code, and the cells it may hit as seen from its centre.
Weapon = Struct.new(:code, :offsets)
SINGLE_SHOT = Weapon.new(1, [[0, 0]])
SEEKER_MISSILE = Weapon.new(7, [*-2..2].product([*-2..2]).select { |dx, dy| dx * dx + dy * dy <= 4 })

def main(key = nil, folder = nil)
  abort "usage: bot.rb KEY FOLDER" unless folder
  return take_turn(key, folder) unless ENV["BROADSIDE_STAY"]

  $stdin.each_line do |line|
    take_turn(key, folder)
    $stdout.print(line) # the same line says that the answer is written
    $stdout.flush
  end
end

def take_turn(key, folder)
  state = read_state(File.join(folder, "state.json"))
  dice = make_dice(state.fetch("Round"), key)
  if state.fetch("Phase") == 1
    File.write(File.join(folder, "place.txt"), place_fleet(state.fetch("MapDimension"), dice))
  else
    weapon = can_seek?(state["PlayerMap"]["Owner"]) ? SEEKER_MISSILE : SINGLE_SHOT
    File.write(File.join(folder, "command.txt"), choose_order(weapon, cell_values(state["OpponentMap"]), dice))
  end
end

# What this player may know, as nested hashes and arrays. Ends the program if it cannot be read.
def read_state(path)
  JSON.parse(File.read(path, encoding: "UTF-8"))
rescue SystemCallError, JSON::ParserError => error
  abort "cannot read #{path}: #{error.message.lines.first&.chomp}"
end

# Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones.
def make_dice(round, key)
  seed = ENV.fetch("BROADSIDE_SEED", "")
  seed.empty? ? Random.new : Random.new(Zlib.crc32("#{seed} #{round} #{key}"))
end

# Tries random places, longest ship first: then there is always room for the next one.
def place_fleet(size, dice)
  raise ArgumentError, "a board of the wrong size" unless [7, 10, 14].include?(size)

  taken = []
  SHIPS.map do |name, length|
    begin
      direction, dx, dy = [["east", 1, 0], ["north", 0, 1]].sample(random: dice)
      x = dice.rand(size - dx * (length - 1))
      y = dice.rand(size - dy * (length - 1))
      cells = Array.new(length) { |i| [x + dx * i, y + dy * i] }
    end until (taken & cells).empty?
    taken += cells
    "#{name} #{x} #{y} #{direction}\n"
  end.join
end

# Whether the ship that carries the seeker missile is afloat, and the energy is there.
def can_seek?(me)
  me["Ships"].any? do |ship|
    !ship["Destroyed"] && ship["Weapons"].any? do |weapon|
      weapon["WeaponType"] == "SeekerMissile" && weapon["EnergyRequired"] <= me["Energy"]
    end
  end
end

# How much a shot at each cell is worth, as { [x, y] => value }; cells not worth a shot are left out.
def cell_values(opponent)
  hits = opponent["Cells"].select { |cell| cell["Damaged"] }.to_h { |cell| [cell.values_at("X", "Y"), true] }
  sunk = opponent["Ships"].select { |ship| ship["Destroyed"] }.sum { |ship| SHIPS.fetch(ship["ShipType"]) }
  wounded = hits.size > sunk # some hits are on ships that are still afloat
  open = opponent["Cells"].reject { |cell| cell["Damaged"] || cell["Missed"] }
  open.to_h do |cell|
    x, y = cell.values_at("X", "Y")
    next [[x, y], 1] if cell["ShieldHit"] # shielded for now; better than nothing

    value = (x + y).even? ? 3 : 2 # every ship has a cell on the black squares of a checkerboard
    STEPS.each do |dx, dy|
      next unless wounded && hits[[x + dx, y + dy]]

      value = [value, hits[[x + 2 * dx, y + 2 * dy]] ? 40 : 20].max
    end
    [[x, y], value]
  end
end

# The weapon on the centre where it is worth most; a random one of those that are equally good.
def choose_order(weapon, values, dice)
  return DO_NOTHING if values.empty?

  worth = values.keys.to_h do |x, y|
    [[x, y], weapon.offsets.sum { |dx, dy| values.fetch([x + dx, y + dy], 0) }]
  end
  best = worth.values.max
  x, y = worth.keys.select { |centre| worth[centre] == best }.sample(random: dice)
  "#{weapon.code},#{x},#{y}\n"
end

main(*ARGV.first(2))
