<?php
// Start with: php -S 127.0.0.1:PORT index.php
// No memory between calls: everything is worked out from yourShots.

const SIZE = 10;

// A fleet as type + "xy" cells. Turning and mirroring it gives eight layouts.
const LAYOUT = [
    ['fourdeck', ['00', '10', '20', '30']],
    ['battleship', ['90', '91', '92']],
    ['threeship', ['50', '60', '70']],
    ['submarine', ['09', '19']],
    ['twoship', ['02', '03']],
    ['twoship', ['98', '99']],
    ['oneship', ['05']],
    ['oneship', ['95']],
    ['oneship', ['39']],
    ['oneship', ['69']],
];

function placement(): array
{
    $swap = random_int(0, 1);
    $flipX = random_int(0, 1);
    $flipY = random_int(0, 1);
    $ships = [];
    foreach (LAYOUT as [$type, $cells]) {
        $out = [];
        foreach ($cells as $c) {
            [$x, $y] = $swap ? [(int)$c[1], (int)$c[0]] : [(int)$c[0], (int)$c[1]];
            $out[] = ['x' => $flipX ? 9 - $x : $x, 'y' => $flipY ? 9 - $y : $y];
        }
        $ships[] = ['type' => $type, 'cells' => $out];
    }
    return ['ships' => $ships];
}

function inside(int $x, int $y): bool
{
    return $x >= 0 && $x < SIZE && $y >= 0 && $y < SIZE;
}

function shot(int $x, int $y): array
{
    return ['type' => 'shot', 'x' => $x, 'y' => $y];
}

function move(array $req): array
{
    $sides = [[1, 0], [-1, 0], [0, 1], [0, -1]];
    $board = $times = [];
    foreach ($req['yourShots'] as $s) {
        $k = $s['x'] . ',' . $s['y'];
        $times[$k] = ($times[$k] ?? 0) + 1;
        if (!isset($board[$k]) || $s['result'] !== 'miss') {
            $board[$k] = $s['result'];
        }
    }

    // All cells of a sunk ship become "sunk".
    $todo = array_keys($board, 'sunk');
    while ($todo) {
        [$x, $y] = array_map('intval', explode(',', array_pop($todo)));
        foreach ($sides as [$dx, $dy]) {
            $k = ($x + $dx) . ',' . ($y + $dy);
            if (($board[$k] ?? '') === 'hit') {
                $board[$k] = 'sunk';
                $todo[] = $k;
            }
        }
    }
    // Ships do not touch, so water lies around a sunk one.
    foreach (array_keys($board, 'sunk') as $k) {
        [$x, $y] = array_map('intval', explode(',', $k));
        for ($i = $x - 1; $i <= $x + 1; $i++) {
            for ($j = $y - 1; $j <= $y + 1; $j++) {
                $board["$i,$j"] ??= 'water';
            }
        }
    }

    $hits = array_keys($board, 'hit');
    $tries = [];
    foreach ($hits as $k) {
        [$x, $y] = array_map('intval', explode(',', $k));
        foreach ($sides as [$dx, $dy]) {
            $nx = $x + $dx;
            $ny = $y + $dy;
            if (!inside($nx, $ny) || isset($board["$nx,$ny"])) {
                continue;
            }
            // In line with another hit is better than any side.
            $back = ($x - $dx) . ',' . ($y - $dy);
            if (($board[$back] ?? '') === 'hit') {
                return shot($nx, $ny);
            }
            // A hit that is part of a line does not go sideways.
            $cross = [($x + $dy) . ',' . ($y + $dx), ($x - $dy) . ',' . ($y - $dx)];
            if (($board[$cross[0]] ?? '') !== 'hit' && ($board[$cross[1]] ?? '') !== 'hit') {
                $tries[] = [$nx, $ny];
            }
        }
    }
    if ($tries) {
        return shot(...$tries[array_rand($tries)]);
    }
    if ($hits) {
        // Still hit, never sunk: armored cells, fire at the least shot one.
        usort($hits, fn($a, $b) => $times[$a] <=> $times[$b]);
        return shot(...array_map('intval', explode(',', $hits[0])));
    }

    foreach ($req['radarHistory'] as $radar) {
        foreach ($radar['visibleCells'] as $c) {
            if (!isset($board[$c['x'] . ',' . $c['y']])) {
                return shot($c['x'], $c['y']);
            }
        }
    }
    if (!$req['radarUsed'] && $req['turn'] >= 5) {
        return ['type' => 'radar', 'center' => ['x' => random_int(1, 8), 'y' => random_int(1, 8)]];
    }
    $free = [];
    for ($x = 0; $x < SIZE; $x++) {
        for ($y = 0; $y < SIZE; $y++) {
            if (!isset($board["$x,$y"])) {
                $free[] = [$x, $y];
            }
        }
    }
    return $free ? shot(...$free[array_rand($free)]) : shot(0, 0);
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$request = json_decode(file_get_contents('php://input'), true);
header('Content-Type: application/json');
if ($path === '/placement') {
    echo json_encode(placement());
} elseif ($path === '/move') {
    echo json_encode(move($request));
} else {
    http_response_code(404);
}
