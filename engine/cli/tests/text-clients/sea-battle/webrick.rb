require 'webrick'
require 'json'

FLEET = [['fourdeck', 4], ['battleship', 3], ['threeship', 3], ['submarine', 2],
         ['twoship', 2], ['twoship', 2],
         ['oneship', 1], ['oneship', 1], ['oneship', 1], ['oneship', 1]].freeze
SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]].freeze
ALL = (0..9).to_a.product((0..9).to_a).freeze

def box(cell)
  x, y = cell
  (x - 1..x + 1).to_a.product((y - 1..y + 1).to_a)
end

def sides(cell)
  SIDES.map { |dx, dy| [cell[0] + dx, cell[1] + dy] }
end

def place_fleet
  loop do
    free = ALL
    ships = FLEET.map do |type, length|
      spots = free.product([[1, 0], [0, 1]]).map do |(x, y), (dx, dy)|
        (0...length).map { |i| [x + dx * i, y + dy * i] }
      end
      cells = spots.shuffle.find { |spot| (spot - free).empty? }
      break unless cells
      free -= cells.flat_map { |c| box(c) }
      { type: type, cells: cells.map { |x, y| { x: x, y: y } } }
    end
    return ships if ships
  end
end

def shot(cell)
  { type: 'shot', x: cell[0], y: cell[1] }
end

def next_move(req)
  shots = req['yourShots'].map { |s| [[s['x'], s['y']], s['result']] }
  fired = shots.map(&:first)
  sunk = shots.select { |_, r| r == 'sunk' }.map(&:first).uniq
  hits = shots.select { |_, r| r == 'hit' }.map(&:first).uniq - sunk

  # Hits that hang together with a sunk cell belong to the same ship.
  loop do
    more = hits & sunk.flat_map { |c| sides(c) }
    break if more.empty?
    sunk += more
    hits -= more
  end
  corners = hits.flat_map { |x, y| [[x + 1, y + 1], [x + 1, y - 1], [x - 1, y + 1], [x - 1, y - 1]] }
  open = ALL - fired - sunk.flat_map { |c| box(c) } - corners

  around = hits.flat_map { |c| sides(c) } & open
  return shot(around.sample) if around.any?
  # A hit ship with nothing open around it is the battleship: hit it again.
  return shot(hits.shuffle.min_by { |c| fired.count(c) }) if hits.any?

  seen = req['radarHistory'].flat_map { |r| r['visibleCells'] }.map { |c| [c['x'], c['y']] } & open
  return shot(seen.first) if seen.any?

  if !req['radarUsed'] && req['radarHistory'].empty? && fired.size >= 15
    x, y = ALL.max_by { |c| (box(c) & open).size }
    return { type: 'radar', center: { x: x, y: y } }
  end
  shot(open.sample || ALL.sample)
end

server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: ARGV[0].to_i, AccessLog: [])

def answer(res, data)
  res['Content-Type'] = 'application/json'
  res.body = JSON.generate(data)
end

server.mount_proc('/placement') { |_req, res| answer(res, ships: place_fleet) }
server.mount_proc('/move') { |req, res| answer(res, next_move(JSON.parse(req.body))) }

trap('INT') { server.shutdown }
trap('TERM') { server.shutdown }
server.start
