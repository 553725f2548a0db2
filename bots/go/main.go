// Go Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
// has saved on diagonal cross shots.
//
// The engine starts it with  ./bot KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type cell struct{ X, Y int }

// state is what is used of state.json; there is more in it.
type state struct {
	Phase, Round, MapDimension int
	PlayerMap                  struct {
		Owner struct {
			Energy int
			Ships  []struct {
				Destroyed bool
				Weapons   []struct {
					WeaponType     string
					EnergyRequired int
				}
			}
		}
	}
	OpponentMap struct {
		Cells []struct {
			cell
			Damaged, Missed, ShieldHit bool
		}
		Ships []struct {
			ShipType  string
			Destroyed bool
		}
	}
}

// weapon is an order that fires: its code, and the cells it hits as seen from its centre.
type weapon struct {
	code    int
	offsets []cell
}

var (
	ships = []struct {
		name   string
		length int
	}{{"Carrier", 5}, {"Battleship", 4}, {"Cruiser", 3}, {"Submarine", 3}, {"Destroyer", 2}}
	steps             = []cell{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	singleShot        = weapon{1, []cell{{0, 0}}}
	diagonalCrossShot = weapon{5, []cell{{0, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}}
)

const doNothing = "0,0,0\n"

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: bot KEY FOLDER")
	}
	if os.Getenv("BROADSIDE_STAY") == "" {
		return takeTurn(args[1], args[2])
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := takeTurn(args[1], args[2]); err != nil {
			return err
		}
		fmt.Println(lines.Text()) // the same line says that the answer is written
	}
	return nil
}

func takeTurn(key, folder string) error {
	game, err := readState(filepath.Join(folder, "state.json"))
	if err != nil {
		return err
	}
	dice := makeDice(game.Round, key)
	if game.Phase == 1 {
		return os.WriteFile(filepath.Join(folder, "place.txt"), []byte(placeFleet(game.MapDimension, dice)), 0o644)
	}
	chosen := singleShot
	if game.canFire("DiagonalCrossShot") {
		chosen = diagonalCrossShot
	}
	if err := os.WriteFile(filepath.Join(folder, "command.txt"), []byte(game.chooseOrder(chosen, dice)), 0o644); err != nil {
		return err
	}
	return game.note(filepath.Join(folder, "notes.json"))
}

// note writes notes for you, which the viewers show beside the match: the value of each cell, by rows from y = 0.
func (game *state) note(path string) error {
	values, numbers := game.values(), make([][]int, game.MapDimension)
	for cells := 0; cells < game.MapDimension*game.MapDimension; cells++ {
		x, y := cells%game.MapDimension, cells/game.MapDimension
		numbers[y] = append(numbers[y], values[cell{x, y}])
	}
	text := fmt.Sprintf("%d cells are worth a shot", len(values))
	notes, err := json.Marshal(map[string]interface{}{"text": text, "numbers": numbers})
	if err != nil {
		return err
	}
	return os.WriteFile(path, notes, 0o644)
}

func readState(path string) (*state, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	game := new(state)
	if err := json.Unmarshal(data, game); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	if n := game.MapDimension; (n != 7 && n != 10 && n != 14) || len(game.OpponentMap.Cells) != n*n {
		return nil, fmt.Errorf("cannot read %s: it is not a state of this game", path)
	}
	return game, nil
}

// makeDice gives the same random numbers in every match if BROADSIDE_SEED is set, else always new ones.
func makeDice(round int, key string) *rand.Rand {
	seed := os.Getenv("BROADSIDE_SEED")
	if seed == "" {
		return rand.New(rand.NewSource(time.Now().UnixNano()))
	}
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s %d %s", seed, round, key)
	return rand.New(rand.NewSource(int64(hash.Sum64())))
}

// placeFleet tries random places, longest ship first: then there is always room for the next one.
func placeFleet(size int, dice *rand.Rand) string {
	taken := map[cell]bool{}
	var lines strings.Builder
	for _, ship := range ships {
		for placed := false; !placed; {
			direction, step := "east", cell{1, 0}
			if dice.Intn(2) == 0 {
				direction, step = "north", cell{0, 1}
			}
			start := cell{dice.Intn(size - step.X*(ship.length-1)), dice.Intn(size - step.Y*(ship.length-1))}
			cells := make([]cell, ship.length)
			placed = true
			for i := range cells {
				cells[i] = cell{start.X + i*step.X, start.Y + i*step.Y}
				placed = placed && !taken[cells[i]]
			}
			if placed {
				for _, c := range cells {
					taken[c] = true
				}
				fmt.Fprintf(&lines, "%s %d %d %s\n", ship.name, start.X, start.Y, direction)
			}
		}
	}
	return lines.String()
}

// canFire tells whether the ship that carries this weapon is afloat and the energy is there.
func (game *state) canFire(name string) bool {
	for _, ship := range game.PlayerMap.Owner.Ships {
		for _, weapon := range ship.Weapons {
			if weapon.WeaponType == name {
				return !ship.Destroyed && game.PlayerMap.Owner.Energy >= weapon.EnergyRequired
			}
		}
	}
	return false
}

// values tells how much a shot at each cell is worth. Cells that were shot at are left out.
func (game *state) values() map[cell]int {
	hits := map[cell]bool{}
	for _, c := range game.OpponentMap.Cells {
		if c.Damaged {
			hits[c.cell] = true
		}
	}
	wounded := len(hits) // hits on ships that are still afloat
	for _, sunk := range game.OpponentMap.Ships {
		for _, ship := range ships {
			if sunk.Destroyed && sunk.ShipType == ship.name {
				wounded -= ship.length
			}
		}
	}
	values := map[cell]int{}
	for _, c := range game.OpponentMap.Cells {
		switch {
		case c.Damaged || c.Missed:
			continue
		case c.ShieldHit:
			values[c.cell] = 1 // shielded for now; better than nothing
			continue
		case (c.X+c.Y)%2 == 0:
			values[c.cell] = 3 // every ship has a cell on the black squares of a checkerboard
		default:
			values[c.cell] = 2
		}
		for _, step := range steps {
			if wounded <= 0 || !hits[cell{c.X + step.X, c.Y + step.Y}] {
				continue
			}
			if hits[cell{c.X + 2*step.X, c.Y + 2*step.Y}] {
				values[c.cell] = 40 // in line with two hits
			} else if values[c.cell] < 20 {
				values[c.cell] = 20
			}
		}
	}
	return values
}

// chooseOrder takes the centre where the weapon is worth most; a random one of those that are equally good.
func (game *state) chooseOrder(chosen weapon, dice *rand.Rand) string {
	values := game.values()
	best, centres := 1, []cell{}
	for _, centre := range game.OpponentMap.Cells {
		worth := 0
		for _, offset := range chosen.offsets {
			worth += values[cell{centre.X + offset.X, centre.Y + offset.Y}]
		}
		if worth > best {
			best, centres = worth, nil
		}
		if worth == best {
			centres = append(centres, centre.cell)
		}
	}
	if len(centres) == 0 {
		return doNothing
	}
	centre := centres[dice.Intn(len(centres))]
	return fmt.Sprintf("%d,%d,%d\n", chosen.code, centre.X, centre.Y)
}
