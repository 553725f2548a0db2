package main

import (
	"encoding/json"
	"log"
	"math/rand"
	"net/http"
	"os"
	"time"
)

type Cell struct {
	X int `json:"x"`
	Y int `json:"y"`
}

type Ship struct {
	Type  string `json:"type"`
	Cells []Cell `json:"cells"`
}

type Shot struct {
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Result string `json:"result"`
}

type PlacementRequest struct {
	GameID    string `json:"gameId"`
	BoardSize int    `json:"boardSize"`
}

type MoveRequest struct {
	GameID       string `json:"gameId"`
	Turn         int    `json:"turn"`
	YourShots    []Shot `json:"yourShots"`
	RadarUsed    bool   `json:"radarUsed"`
	RadarHistory []struct {
		Center       Cell   `json:"center"`
		VisibleCells []Cell `json:"visibleCells"`
	} `json:"radarHistory"`
}

// X and Y are pointers so that 0 is still written for a shot.
type MoveResponse struct {
	Type   string `json:"type"`
	X      *int   `json:"x,omitempty"`
	Y      *int   `json:"y,omitempty"`
	Center *Cell  `json:"center,omitempty"`
}

const size = 10

var fleet = []struct {
	name string
	len  int
}{
	{"fourdeck", 4}, {"battleship", 3}, {"threeship", 3},
	{"submarine", 2}, {"twoship", 2}, {"twoship", 2},
	{"oneship", 1}, {"oneship", 1}, {"oneship", 1}, {"oneship", 1},
}

var dirs = []Cell{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}

func onBoard(c Cell) bool { return c.X >= 0 && c.X < size && c.Y >= 0 && c.Y < size }

// around returns the 3x3 block with c in the middle.
func around(c Cell) []Cell {
	var out []Cell
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if n := (Cell{c.X + dx, c.Y + dy}); onBoard(n) {
				out = append(out, n)
			}
		}
	}
	return out
}

func place() []Ship {
again:
	taken := map[Cell]bool{}
	var ships []Ship
	for _, f := range fleet {
		tries := 0
	next:
		if tries++; tries > 300 {
			goto again
		}
		d := dirs[rand.Intn(2)*2]
		c := Cell{rand.Intn(size), rand.Intn(size)}
		var cells []Cell
		for i := 0; i < f.len; i++ {
			n := Cell{c.X + d.X*i, c.Y + d.Y*i}
			if !onBoard(n) || taken[n] {
				goto next
			}
			cells = append(cells, n)
		}
		for _, n := range cells {
			for _, a := range around(n) {
				taken[a] = true
			}
		}
		ships = append(ships, Ship{f.name, cells})
	}
	return ships
}

func shoot(c Cell) MoveResponse {
	return MoveResponse{Type: "shot", X: &c.X, Y: &c.Y}
}

func move(req MoveRequest) MoveResponse {
	count := map[Cell]int{}
	hit := map[Cell]bool{}
	water := map[Cell]bool{}
	var sunk []Cell
	for _, s := range req.YourShots {
		c := Cell{s.X, s.Y}
		count[c]++
		switch s.Result {
		case "hit":
			hit[c] = true
		case "sunk":
			hit[c] = true
			sunk = append(sunk, c)
		}
	}

	// Remove sunk ships from the hits and mark the water around them.
	for len(sunk) > 0 {
		c := sunk[0]
		sunk = sunk[1:]
		delete(hit, c)
		for _, a := range around(c) {
			water[a] = true
		}
		for _, d := range dirs {
			if n := (Cell{c.X + d.X, c.Y + d.Y}); hit[n] {
				sunk = append(sunk, n)
			}
		}
	}
	unknown := func(c Cell) bool { return onBoard(c) && count[c] == 0 && !water[c] }

	// Extend a line of hits first, then try every side of a single hit.
	for c := range hit {
		for _, d := range dirs {
			if hit[Cell{c.X - d.X, c.Y - d.Y}] && unknown(Cell{c.X + d.X, c.Y + d.Y}) {
				return shoot(Cell{c.X + d.X, c.Y + d.Y})
			}
		}
	}
	for c := range hit {
		alone := true
		for _, d := range dirs {
			alone = alone && !hit[Cell{c.X + d.X, c.Y + d.Y}]
		}
		for _, i := range rand.Perm(4) {
			if n := (Cell{c.X + dirs[i].X, c.Y + dirs[i].Y}); alone && unknown(n) {
				return shoot(n)
			}
		}
	}
	// Only the battleship is left among the hits: shoot its cells once more.
	if len(hit) > 0 {
		var best *Cell
		for c := range hit {
			c := c
			if best == nil || count[c] < count[*best] {
				best = &c
			}
		}
		return shoot(*best)
	}

	for _, r := range req.RadarHistory {
		for _, c := range r.VisibleCells {
			if unknown(c) {
				return shoot(c)
			}
		}
	}

	var open []Cell
	bestScore, center := -1, Cell{5, 5}
	for x := 0; x < size; x++ {
		for y := 0; y < size; y++ {
			c := Cell{x, y}
			if unknown(c) {
				open = append(open, c)
			}
			score := 0
			for _, a := range around(c) {
				if unknown(a) {
					score++
				}
			}
			if score > bestScore {
				bestScore, center = score, c
			}
		}
	}
	if !req.RadarUsed && len(open) < 70 {
		return MoveResponse{Type: "radar", Center: &center}
	}
	if len(open) == 0 {
		return shoot(Cell{rand.Intn(size), rand.Intn(size)})
	}
	return shoot(open[rand.Intn(len(open))])
}

func handlePlacement(w http.ResponseWriter, r *http.Request) {
	var req PlacementRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply(w, map[string]interface{}{"ships": place()})
}

func handleMove(w http.ResponseWriter, r *http.Request) {
	var req MoveRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply(w, move(req))
}

func reply(w http.ResponseWriter, v interface{}) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func main() {
	rand.Seed(time.Now().UnixNano())
	http.HandleFunc("/placement", handlePlacement)
	http.HandleFunc("/move", handleMove)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
