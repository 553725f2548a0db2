<?php
// PHP Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
// has saved on double shots.
//
// The engine starts it with  php bot.php KEY FOLDER  and asks it for each turn by a line on standard input. Without
// BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
declare(strict_types=1);

const SHIPS = ['Carrier' => 5, 'Battleship' => 4, 'Cruiser' => 3, 'Submarine' => 3, 'Destroyer' => 2];
const STEPS = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DO_NOTHING = "0,0,0\n";
// Orders that fire: their code, and the cells they hit as seen from their centre.
const SINGLE_SHOT = [1 => [[0, 0]]];
const DOUBLE_SHOTS = [2 => [[0, -1], [0, 1]], 3 => [[-1, 0], [1, 0]]];

function main(array $arguments): void
{
    if (count($arguments) < 3) {
        fail('usage: bot.php KEY FOLDER');
    }
    [, $key, $folder] = $arguments;
    if (getenv('BROADSIDE_STAY') === false) {
        takeTurn($key, $folder);
        return;
    }
    while (($line = fgets(STDIN)) !== false) {
        takeTurn($key, $folder);
        fwrite(STDOUT, $line); // the same line says that the answer is written
    }
}

function takeTurn(string $key, string $folder): void
{
    $state = readState("$folder/state.json");
    seedDice($state['Round'], $key);
    if ($state['Phase'] === 1) {
        file_put_contents("$folder/place.txt", placeFleet($state['MapDimension']));
    } else {
        $orders = canDouble($state['PlayerMap']['Owner']) ? DOUBLE_SHOTS : SINGLE_SHOT;
        $values = cellValues($state['OpponentMap']);
        file_put_contents("$folder/command.txt", chooseOrder($orders, $values, $state['MapDimension']));
    }
}

/** What this player may know, as nested arrays. Ends the program if it cannot be read. */
function readState(string $path): array
{
    $text = @file_get_contents($path);
    if ($text === false) {
        fail("cannot read $path");
    }
    $state = json_decode($text, true);
    if (!is_array($state)) {
        fail("cannot read $path: " . json_last_error_msg());
    }
    return $state;
}

function fail(string $problem): void
{
    fwrite(STDERR, "$problem\n");
    exit(1);
}

/** Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones. */
function seedDice(int $round, string $key): void
{
    $seed = getenv('BROADSIDE_SEED');
    if ($seed !== false && $seed !== '') {
        mt_srand(crc32("$seed $round $key"));
    }
}

/** Tries random places, longest ship first: then there is always room for the next one. */
function placeFleet(int $size): string
{
    $taken = [];
    $lines = '';
    foreach (SHIPS as $name => $length) {
        do {
            $east = mt_rand(0, 1) === 0;
            $x = mt_rand(0, $east ? $size - $length : $size - 1);
            $y = mt_rand(0, $east ? $size - 1 : $size - $length);
            $cells = [];
            for ($i = 0; $i < $length; $i++) {
                $cells[] = $east ? [$x + $i, $y] : [$x, $y + $i];
            }
        } while (array_filter($cells, fn($cell) => in_array($cell, $taken, true)));
        $taken = array_merge($taken, $cells);
        $lines .= "$name $x $y " . ($east ? 'east' : 'north') . "\n";
    }
    return $lines;
}

/** Whether the ship that carries the double shot is afloat, and the energy is there. */
function canDouble(array $me): bool
{
    foreach ($me['Ships'] as $ship) {
        foreach ($ship['Weapons'] as $weapon) {
            if ($weapon['WeaponType'] === 'DoubleShot') {
                return !$ship['Destroyed'] && $me['Energy'] >= $weapon['EnergyRequired'];
            }
        }
    }
    return false;
}

/** How much a shot at each cell is worth, as [x][y]; cells not worth a shot are left out. */
function cellValues(array $opponent): array
{
    $isHit = [];
    $wounded = 0; // hits on ships that are still afloat
    foreach ($opponent['Cells'] as $cell) {
        $isHit[$cell['X']][$cell['Y']] = $cell['Damaged'];
        $wounded += (int) $cell['Damaged'];
    }
    foreach ($opponent['Ships'] as $ship) {
        $wounded -= $ship['Destroyed'] ? SHIPS[$ship['ShipType']] : 0;
    }
    $values = [];
    foreach ($opponent['Cells'] as $cell) {
        ['X' => $x, 'Y' => $y] = $cell;
        if ($cell['Damaged'] || $cell['Missed']) {
            continue;
        }
        if ($cell['ShieldHit']) {
            $values[$x][$y] = 1; // shielded for now; better than nothing
            continue;
        }
        $values[$x][$y] = ($x + $y) % 2 === 0 ? 3 : 2; // each ship has a cell on a checkerboard's black squares
        foreach ($wounded > 0 ? STEPS : [] as [$dx, $dy]) {
            if ($isHit[$x + $dx][$y + $dy] ?? false) {
                $inLine = $isHit[$x + 2 * $dx][$y + 2 * $dy] ?? false;
                $values[$x][$y] = max($values[$x][$y], $inLine ? 40 : 20);
            }
        }
    }
    return $values;
}

/** The best of these orders on all centres; a random one of those that are equally good. */
function chooseOrder(array $orders, array $values, int $size): string
{
    $best = 1;
    $choices = [];
    foreach ($orders as $code => $offsets) {
        for ($x = 0; $x < $size; $x++) {
            for ($y = 0; $y < $size; $y++) {
                $worth = array_sum(array_map(fn($o) => $values[$x + $o[0]][$y + $o[1]] ?? 0, $offsets));
                if ($worth > $best) {
                    $choices = [];
                    $best = $worth;
                }
                if ($worth === $best) {
                    $choices[] = "$code,$x,$y\n";
                }
            }
        }
    }
    return $choices === [] ? DO_NOTHING : $choices[mt_rand(0, count($choices) - 1)];
}

// Errors go to standard error once, with file and line: standard output is for the engine.
ini_set('display_errors', 'stderr');
ini_set('log_errors', '0');
// Every notice of PHP, such as one on a missing key, becomes an exception.
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false; // silenced by an @
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});
main($argv);
