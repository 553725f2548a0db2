-- Lua Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
-- has saved on cross shots.
--
-- The engine starts it with  lua bot.lua KEY FOLDER  and asks it for each turn by a line on standard input. Without
-- BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.

local SHIPS = {
  { name = "Carrier", name_in_map = "Carrier", length = 5 },
  { name = "Battleship", name_in_map = "Battle Ship", length = 4 },
  { name = "Cruiser", name_in_map = "Cruiser", length = 3 },
  { name = "Submarine", name_in_map = "Submarine", length = 3 },
  { name = "Destroyer", name_in_map = "Destroyer", length = 2 },
}
local STEPS = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }
local DO_NOTHING = "0,0,0\n"
-- The orders that fire: their code, and the cells they hit as seen from their centre.
local SINGLE_SHOT = { code = 1, offsets = { { 0, 0 } } }
local CROSS_SHOT = { code = 6, offsets = { { 0, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } }
local CROSS_SHOT_COSTS = { [7] = 28, [10] = 42, [14] = 56 } -- by the size of the board

local function fail(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

-- What map.txt tells of the game.
local function read_view(path)
  local file, problem = io.open(path, "rb")
  if not file then fail("cannot open " .. problem) end
  local map = file:read("a") or ""
  file:close()

  -- What a pattern captures, on a line of its own from the given place on.
  local function field(pattern, from)
    local value = map:match("\n" .. pattern .. "\n", from)
    if not value then fail("map.txt is broken, it lacks: " .. pattern) end
    return value
  end

  local view = {
    size = tonumber(field("Map Dimensions : (%d+) x %d+")),
    round = tonumber(field("Round Number : (%d+)")),
    phase = tonumber(field("Phase : (%d+)")),
    energy = tonumber(field("Available Energy: (%d+)")),
    has_cross_shot = ("," .. field("Arsenal: %[(.-)%]") .. ","):find(",CrossShot,", 1, true) ~= nil,
    board = {}, -- the opponent's, [x][y]: "~" new, "*" hit, "!" miss, "@" shielded
    wounded = 0, -- hits on ships that are still afloat
  }
  if not CROSS_SHOT_COSTS[view.size] then fail("map.txt is broken: its size") end
  for x = -2, view.size + 1 do view.board[x] = {} end -- with room to look beyond the border
  local rows = field("#+ Opponent\n([^#]+)\n#+") .. "\n"
  local y = view.size - 1 -- the first row is the highest y
  for row in rows:gmatch("([^\n]*)\n") do
    if #row ~= view.size or row:find("[^~*!@]") then fail("map.txt is broken: a row of the board") end
    for x = 0, view.size - 1 do
      view.board[x][y] = row:sub(x + 1, x + 1)
      if view.board[x][y] == "*" then view.wounded = view.wounded + 1 end
    end
    y = y - 1
  end
  if y ~= -1 then fail("map.txt is broken: the board's rows") end
  local afloat = field("Ships: %[(.-)%]", map:find("\nOpponent: ", 1, true) or #map)
  for _, ship in ipairs(SHIPS) do
    if not afloat:find(ship.name_in_map, 1, true) then view.wounded = view.wounded - ship.length end
  end
  return view
end

-- Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones (since Lua 5.4).
local function seed_dice(round, key)
  local seed = os.getenv("BROADSIDE_SEED")
  if not seed or seed == "" then return end
  local number = 17
  for _, byte in ipairs({ (seed .. " " .. round .. " " .. key):byte(1, -1) }) do
    number = (number * 31 + byte) % 2147483647
  end
  math.randomseed(number)
end

-- Tries random places, longest ship first: then there is always room for the next one.
local function place_fleet(size)
  local taken, lines = {}, {}
  for _, ship in ipairs(SHIPS) do
    local x, y, east, cells, free
    repeat
      east = math.random(2) == 1
      x = math.random(0, east and size - ship.length or size - 1)
      y = math.random(0, east and size - 1 or size - ship.length)
      cells, free = {}, true
      for i = 0, ship.length - 1 do
        local cell = east and (x + i) .. "," .. y or x .. "," .. (y + i)
        cells[#cells + 1] = cell
        free = free and not taken[cell]
      end
    until free
    for _, cell in ipairs(cells) do taken[cell] = true end
    lines[#lines + 1] = ("%s %d %d %s\n"):format(ship.name, x, y, east and "east" or "north")
  end
  return table.concat(lines)
end

-- How much a shot at this cell is worth. Every ship has a cell on the black squares of a checkerboard.
local function value(view, x, y)
  local board = view.board
  if board[x][y] == "@" then return 1 end -- shielded for now; better than nothing
  if board[x][y] ~= "~" then return 0 end
  local best = (x + y) % 2 == 0 and 3 or 2
  if view.wounded <= 0 then return best end
  for _, step in ipairs(STEPS) do
    local dx, dy = step[1], step[2]
    if board[x + dx][y + dy] == "*" then
      best = math.max(best, board[x + 2 * dx][y + 2 * dy] == "*" and 40 or 20)
    end
  end
  return best
end

-- The weapon on the centre where it is worth most; a random one of those that are equally good.
local function choose_order(view, weapon)
  local best, centres = 1, {}
  for x = 0, view.size - 1 do
    for y = 0, view.size - 1 do
      local worth = 0
      for _, offset in ipairs(weapon.offsets) do
        worth = worth + value(view, x + offset[1], y + offset[2])
      end
      if worth > best then best, centres = worth, {} end
      if worth == best then centres[#centres + 1] = { x, y } end
    end
  end
  if #centres == 0 then return DO_NOTHING end
  local centre = centres[math.random(#centres)]
  return ("%d,%d,%d\n"):format(weapon.code, centre[1], centre[2])
end

local function take_turn(key, folder)
  local view = read_view(folder .. "/map.txt")
  seed_dice(view.round, key)
  local name, text
  if view.phase == 1 then
    name, text = "place.txt", place_fleet(view.size)
  else
    local can_cross = view.has_cross_shot and view.energy >= CROSS_SHOT_COSTS[view.size]
    name, text = "command.txt", choose_order(view, can_cross and CROSS_SHOT or SINGLE_SHOT)
  end
  local file, problem = io.open(folder .. "/" .. name, "wb")
  if not file then fail("cannot write " .. problem) end
  file:write(text)
  file:close()
end

if not arg[2] then fail("usage: bot.lua KEY FOLDER") end
if not os.getenv("BROADSIDE_STAY") then
  take_turn(arg[1], arg[2])
else
  for line in io.lines() do
    take_turn(arg[1], arg[2])
    io.write(line, "\n") -- the same line says that the answer is written
    io.flush()
  end
end
