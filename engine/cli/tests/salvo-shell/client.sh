#!/bin/bash
# A player for Salvo. client.sh HOST PORT NAME SECRET   (PREFIX=monday: topics below /monday)
[ $# = 4 ] || { echo "usage: client.sh HOST PORT NAME SECRET" >&2; exit 2; }
HOST=$1 PORT=$2 NAME=$3 SECRET=$4 P=${PREFIX:+/$PREFIX} TAB=$'\t'
HERE=$(dirname "$(readlink -f "$0")")
LOGIN=(-h "$HOST" -p "$PORT" -u "$NAME" -P "$SECRET" -V "${MQTT:-311}")  # MQTT=5: that version
declare -A LENGTH=([carrier]=5 [battleship]=4 [destroyer]=3 [submarine]=3 [patrolboat]=2)
declare -A ROW=([carrier]=0 [battleship]=2 [destroyer]=4 [submarine]=6 [patrolboat]=8)
declare -A DEFEATED SUNK NEXT         # by player; my ships; by player: the cell to shoot at next, 0 to 99
STATE="" WINNER="" PLAYERS=() ASKED="" PLACED="" PLAYED="" CURRENT="" SHOTS=0 RETRIES=0

say()  { echo "$NAME: $*" >&2; }
send() { mosquitto_pub "${LOGIN[@]}" -q 1 -t "$P$1" -m "$2" || say "could not send to $1"; }
seal() { local sealed; echo "$1" >&4; read -r -u 5 sealed; printf %s "$sealed"; }
json() { local s=${1//\\/\\\\}; printf '"%s"' "${s//\"/\\\"}"; }

place() {  # each ship has two rows of its own, so that none overlap
    local x=$((RANDOM % (11 - LENGTH[$1]))) y=$((ROW[$1] + RANDOM % 2))
    send "/players/$NAME/ships/$1/place" "$(seal "{\"coordinates\": \"$x;$y\", \"Orientation\": \"HORIZONTAL\"}")"
}

take_part() {
    if [ "$STATE" = lobby ] && [ -z "$ASKED" ]; then
        ASKED=1
        send /game/request_participation "{\"name\": $(json "$NAME"), \"secret\": $(json "$SECRET")}"
    fi
    local p
    if [ "$STATE" = lobby ] && [ -z "$PLACED" ]; then
        for p in "${PLAYERS[@]}"; do
            [ "$p" = "$NAME" ] || continue
            PLACED=1 PLAYED=1
            for ship in "${!LENGTH[@]}"; do place "$ship"; done
        done
    fi
}

fire() {
    local p target="" n body
    for p in "${PLAYERS[@]}"; do
        [ "$p" != "$NAME" ] && [ -z "${DEFEATED[$p]}" ] && target=$p && break
    done
    [ -n "$target" ] || return
    n=${NEXT[$target]:-0} NEXT[$target]=$(((n + 1) % 100))
    body="{\"x\":$((n % 10)),\"y\":$((n / 10))}"
    send "/players/$target/fire" "{\"data\":$body,\"signature\":\"$(seal "$body")\"}"
}

salvo() {  # kept messages come in any order: it begins when all that it needs is known
    [ "$STATE" = turn ] && [ "$CURRENT" = "$NAME" ] && [ ${#PLAYERS[@]} -gt 1 ] || return
    for ((; SHOTS > 0; SHOTS--)); do fire; done
}

coproc SEALER { exec "${PYTHON:-python3}" "$HERE/seal.py" "$SECRET"; }
exec 4>&"${SEALER[1]}" 5<&"${SEALER[0]}"  # a subshell does not get those of a coprocess
exec 3< <(exec mosquitto_sub "${LOGIN[@]}" -q 1 -F '%t\t%p' -t "$P/game/#" -t "$P/players/list" \
    -t "$P/players/$NAME/error" -t "$P/players/$NAME/hit" -t "$P/players/$NAME/ships/+/error" \
    -t "$P/players/+/defeated" -t "$P/players/$NAME/ships/+/sunk")
SUB=$!
trap 'kill $SUB $SEALER_PID 2>/dev/null' EXIT

while IFS=$TAB read -r -u 3 topic text; do
    topic=${topic#"$P"}
    [ -n "$VERBOSE" ] && say "$topic = $text"
    case $topic in
        /game/state)
            STATE=$text
            [ "$STATE" = turn ] && PLAYED=1
            [ "$STATE" = over ] && [ -n "$PLAYED" ] && break
            take_part; salvo ;;
        /players/list)
            list=${text#'["'} list=${list%'"]'}
            mapfile -t PLAYERS < <(printf %s "${list//\",\"/$'\n'}")
            take_part; salvo ;;
        /game/refused)
            [ -z "$PLACED" ] && case $text in *"$(json "$NAME")"*) say "refused: $text"; exit 1 ;; esac ;;
        /players/*/defeated) who=${topic#/players/} who=${who%/defeated} DEFEATED[$who]=$text ;;
        /players/*/sunk) ship=${topic%/sunk} SUNK[${ship##*/}]=$text ;;
        /players/"$NAME"/ships/*/error)
            ship=${topic%/error} ship=${ship##*/}
            say "$ship: $text"
            [ "$STATE" = lobby ] && place "$ship" ;;
        /players/"$NAME"/error)
            say "error: $text"
            case $text in *lost*) ;; *) [ $((RETRIES--)) -gt 0 ] && SHOTS=1 && salvo ;; esac ;;
        /game/current)
            CURRENT=$text SHOTS=5 RETRIES=5
            for s in "${SUNK[@]}"; do [ -n "$s" ] && SHOTS=$((SHOTS - 1)); done
            salvo ;;
        /game/winner) WINNER=$text ;;
    esac
done
[ "$STATE" = over ] || { say "no more messages"; exit 1; }
echo "winner: ${WINNER:-nobody}"
