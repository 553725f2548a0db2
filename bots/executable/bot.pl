#!/usr/bin/perl
# Perl Sample: a small but complete bot. It hunts on a checkerboard, follows up its hits, and spends the energy it
# has saved on double shots. BotType "Executable" starts any program: this one by its first line.
#
# The engine starts it with  ./bot.pl KEY FOLDER  and asks it for each turn by a line on standard input. Without
# BROADSIDE_STAY in the environment it plays one turn and ends: the style of 2017, a new process for every turn.
use strict;
use warnings;
use JSON::PP ();
use List::Util qw(first max none sum0);

my @SHIPS = (['Carrier', 5], ['Battleship', 4], ['Cruiser', 3], ['Submarine', 3], ['Destroyer', 2]);
my @STEPS = ([1, 0], [-1, 0], [0, 1], [0, -1]);
my $DO_NOTHING = "0,0,0\n";
# Orders that fire: their code, and the cells they hit as seen from their centre.
my %SINGLE_SHOT = (1 => [[0, 0]]);
my %DOUBLE_SHOTS = (2 => [[0, -1], [0, 1]], 3 => [[-1, 0], [1, 0]]);

sub main {
    my ($key, $folder) = @_;
    die "usage: bot.pl KEY FOLDER\n" unless defined $folder;
    return take_turn($key, $folder) unless $ENV{BROADSIDE_STAY};
    local $| = 1;    # what is printed goes out at once
    while (my $line = <STDIN>) {
        take_turn($key, $folder);
        print $line;    # the same line says that the answer is written
    }
}

sub take_turn {
    my ($key, $folder) = @_;
    my $state = read_state("$folder/state.json");
    my $size = $state->{MapDimension};
    seed_dice($state->{Round}, $key);
    if ($state->{Phase} == 1) {
        write_file("$folder/place.txt", place_fleet($size));
    } else {
        my %orders = can_double($state->{PlayerMap}{Owner}) ? %DOUBLE_SHOTS : %SINGLE_SHOT;
        write_file("$folder/command.txt", choose_order(\%orders, cell_values($state->{OpponentMap}), $size));
    }
}

# What this player may know, as nested hashes and arrays. Ends the program if it cannot be read.
sub read_state {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "cannot read $path: $!\n";
    local $/;    # read all of it at once
    my $text = <$file> // '';
    return eval { JSON::PP::decode_json($text) } // die "cannot read $path: $@";
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "cannot write $path: $!\n";
    print {$file} $text;
    close $file or die "cannot write $path: $!\n";
}

# Random numbers: the same in every match if BROADSIDE_SEED is set, else always new ones.
sub seed_dice {
    my ($round, $key) = @_;
    my $seed = $ENV{BROADSIDE_SEED} // '';
    return if $seed eq '';
    my $number = 17;
    $number = ($number * 31 + ord) % 2_147_483_647 for split //, "$seed $round $key";
    srand $number;
}

# Tries random places, longest ship first: then there is always room for the next one.
sub place_fleet {
    my ($size) = @_;
    my (%taken, $lines);
    for (@SHIPS) {
        my ($name, $length) = @$_;
        my ($direction, $x, $y, @cells);
        do {
            ($direction, my $dx, my $dy) = rand() < 0.5 ? ('east', 1, 0) : ('north', 0, 1);
            $x = int rand($size - $dx * ($length - 1));
            $y = int rand($size - $dy * ($length - 1));
            @cells = map { ($x + $dx * $_) . ',' . ($y + $dy * $_) } 0 .. $length - 1;
        } until none { $taken{$_} } @cells;
        @taken{@cells} = (1) x $length;
        $lines .= "$name $x $y $direction\n";
    }
    return $lines;
}

# Whether the ship that carries the double shot is afloat, and the energy is there.
sub can_double {
    my ($me) = @_;
    for my $ship (@{ $me->{Ships} }) {
        my $double_shot = first { $_->{WeaponType} eq 'DoubleShot' } @{ $ship->{Weapons} } or next;
        return !$ship->{Destroyed} && $me->{Energy} >= $double_shot->{EnergyRequired};
    }
    return 0;
}

# How much a shot at each cell is worth, as { "x,y" => value }; cells not worth a shot are left out.
sub cell_values {
    my ($opponent) = @_;
    my %hit = map { ("$_->{X},$_->{Y}" => 1) } grep { $_->{Damaged} } @{ $opponent->{Cells} };
    my %length = map { @$_ } @SHIPS;
    my $sunk = sum0 map { $length{ $_->{ShipType} } } grep { $_->{Destroyed} } @{ $opponent->{Ships} };
    my $wounded = keys %hit > $sunk;    # some hits are on ships that are still afloat
    my %values;
    for my $cell (@{ $opponent->{Cells} }) {
        my ($x, $y) = @$cell{qw(X Y)};
        next if $cell->{Damaged} || $cell->{Missed};
        my $value = ($x + $y) % 2 == 0 ? 3 : 2;    # every ship has a cell on the black squares of a checkerboard
        for (@STEPS) {
            my ($dx, $dy) = @$_;
            next unless $wounded && $hit{ ($x + $dx) . ',' . ($y + $dy) };
            $value = max $value, $hit{ ($x + 2 * $dx) . ',' . ($y + 2 * $dy) } ? 40 : 20;
        }
        $value = 1 if $cell->{ShieldHit};    # shielded for now; better than nothing
        $values{"$x,$y"} = $value;
    }
    return \%values;
}

# The best of these orders on all centres; a random one of those that are equally good.
sub choose_order {
    my ($orders, $values, $size) = @_;
    my ($best, @choices) = (1);
    for my $code (sort keys %$orders) {
        for my $x (0 .. $size - 1) {
            for my $y (0 .. $size - 1) {
                my $worth = sum0 map { $values->{ ($x + $_->[0]) . ',' . ($y + $_->[1]) } // 0 } @{ $orders->{$code} };
                ($best, @choices) = ($worth) if $worth > $best;
                push @choices, "$code,$x,$y\n" if $worth == $best;
            }
        }
    }
    return @choices ? $choices[rand @choices] : $DO_NOTHING;
}

main(@ARGV);
