<?php
// Start with: php -S 127.0.0.1:PORT bot.php
// One page for both phases: act=init places the ships, act=fight fires.

const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]];

$width = (int)($_POST['width'] ?? 10);
$height = (int)($_POST['height'] ?? 10);

// Lengths of all ships, longest first.
$ships = [];
for ($length = 6; $length >= 1; $length--) {
    for ($i = 0; $i < (int)($_POST["ship$length"] ?? 0); $i++) {
        $ships[] = $length;
    }
}

switch ($_POST['act'] ?? '') {
    case 'init':
        echo json_encode(place($ships, $width, $height));
        break;
    case 'fight':
        echo fire(json_decode($_POST['your_strikes'] ?? '[]', true) ?: [], $ships, $width, $height);
        break;
    default:
        http_response_code(400);
        echo 'unknown act';
}

/** Random placement; on a crowded map pack the ships row by row. */
function place(array $ships, int $width, int $height): array
{
    for ($try = 0; $try < 50; $try++) {
        $map = random_map($ships, $width, $height);
        if ($map !== null) {
            return $map;
        }
    }
    return packed_map($ships, $width, $height, false) ?? packed_map($ships, $height, $width, true) ?? [];
}

function random_map(array $ships, int $width, int $height): ?array
{
    $taken = [];
    $out = [];
    foreach ($ships as $length) {
        for ($try = 0;; $try++) {
            if ($try === 300) {
                return null;
            }
            $flat = random_int(0, 1) === 1;
            $maxX = $flat ? $width - $length : $width - 1;
            $maxY = $flat ? $height - 1 : $height - $length;
            if ($maxX < 0 || $maxY < 0) {
                continue;
            }
            $x = random_int(0, $maxX);
            $y = random_int(0, $maxY);
            $cells = [];
            for ($i = 0; $i < $length; $i++) {
                $cells[] = $flat ? ($x + $i) . ",$y" : "$x," . ($y + $i);
            }
            if (!array_intersect_key(array_flip($cells), $taken)) {
                break;
            }
        }
        $taken += array_flip($cells);
        $out[] = $cells[0] . '-' . end($cells);
    }
    return $out;
}

/** First fit of the ships into lines; $turned swaps x and y. */
function packed_map(array $ships, int $width, int $height, bool $turned): ?array
{
    $used = array_fill(0, $height, 0);
    $out = [];
    foreach ($ships as $length) {
        foreach ($used as $row => $from) {
            if ($from + $length <= $width) {
                $to = $from + $length - 1;
                $out[] = $turned ? "$row,$from-$row,$to" : "$from,$row-$to,$row";
                $used[$row] += $length;
                continue 2;
            }
        }
        return null;
    }
    return $out;
}

function fire(array $strikes, array $ships, int $width, int $height): string
{
    $board = []; // "x,y" => result
    foreach ($strikes as $s) {
        // The same cell may have been fired at twice: keep the better news.
        if (($board[$s['target']] ?? '') === '') {
            $board[$s['target']] = $s['result'];
        }
    }

    // A sunk ship takes the longest straight run of hits next to its last cell.
    foreach (array_keys($board, 'hit and sunk') as $last) {
        [$x, $y] = array_map('intval', explode(',', $last));
        $best = [];
        foreach ([[1, 0], [0, 1]] as [$dx, $dy]) {
            $run = [];
            foreach ([1, -1] as $sign) {
                for ($i = 1; $i < 6; $i++) {
                    $k = ($x + $sign * $i * $dx) . ',' . ($y + $sign * $i * $dy);
                    if (($board[$k] ?? '') !== 'hit') {
                        break;
                    }
                    $run[] = $k;
                }
            }
            $best = count($run) > count($best) ? $run : $best;
        }
        foreach ($best as $k) {
            $board[$k] = 'dead';
        }
    }

    $free = fn(int $x, int $y) => $x >= 0 && $x < $width && $y >= 0 && $y < $height && !isset($board["$x,$y"]);

    // Follow up hits, cells in line with two hits first.
    $near = [];
    foreach (array_keys($board, 'hit') as $hit) {
        [$x, $y] = array_map('intval', explode(',', $hit));
        foreach (SIDES as [$dx, $dy]) {
            if ($free($x + $dx, $y + $dy)) {
                $behind = ($x - $dx) . ',' . ($y - $dy);
                if (($board[$behind] ?? '') === 'hit') {
                    return ($x + $dx) . ',' . ($y + $dy);
                }
                $near[] = ($x + $dx) . ',' . ($y + $dy);
            }
        }
    }
    if ($near) {
        return $near[array_rand($near)];
    }

    // Hunt on a grid as wide as the shortest ship, then anywhere.
    $step = $ships ? min($ships) : 1;
    $grid = $rest = [];
    for ($x = 0; $x < $width; $x++) {
        for ($y = 0; $y < $height; $y++) {
            if (!$free($x, $y)) {
                continue;
            }
            if (($x + $y) % $step === 0) {
                $grid[] = "$x,$y";
            } else {
                $rest[] = "$x,$y";
            }
        }
    }
    $list = $grid ?: $rest;
    return $list ? $list[array_rand($list)] : '0,0';
}
