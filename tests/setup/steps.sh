# shellcheck shell=sh
# Steps of a test run: each is timed, and the end of the run lists those that failed or could not run. Sourced; POSIX sh.
#
#   step NAME COMMAND…   runs a step; its output is printed when it ends, in one piece, so that steps do not mix
#   skip NAME REASON     notes what cannot run here
#   beside FUNCTION      starts a lane: a function whose steps run beside all others until the next `join`
#   join                 waits for the lanes
#   give_up NAME         ends the script because of a failure without which nothing more can run
#   finish               lists what was skipped and what failed, and ends the script with the status

steps=$(mktemp -d "${TMPDIR:-/tmp}/odsmith-steps.XXXXXX") || exit 1
lanes=
trap end_lanes EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
    step_name=$1
    shift
    step_began=$(date +%s)
    step_output=$(mktemp "$steps/output.XXXXXX")
    echo "$step_name" >"$step_output.name"
    echo "-- $step_name"
    step_result=ok
    if ! "$@" >"$step_output" 2>&1; then
        step_result=FAILED
        # Of Cargo's tests, the names too: the whole output is long, and often only its end is at hand.
        { echo "  $step_name"; sed -n 's/^test \(.*\) \.\.\. FAILED$/    \1/p' "$step_output"; } >>"$steps/failed"
    fi
    # One at a time: a folder can be made once.
    until mkdir "$steps/printing" 2>/dev/null; do sleep 0.1; done
    printf '\n== %s\n' "$step_name"
    cat "$step_output"
    echo "   $step_result, $(($(date +%s) - step_began)) s"
    rm -f "$step_output" "$step_output.name"
    rmdir "$steps/printing"
}

skip() {
    echo "  $1: $2" >>"$steps/skipped"
}

beside() {
    (
        lanes=
        trap - EXIT INT TERM
        "$1"
        : >"$steps/ended.$1"
    ) &
    lanes="$lanes $!:$1"
}

join() {
    for lane in $lanes; do
        wait "${lane%%:*}"
        # A lane that was killed, or that ended itself, says nothing of the steps it had left.
        [ -f "$steps/ended.${lane#*:}" ] || echo "  ${lane#*:} did not end" >>"$steps/failed"
    done
    lanes=
}

finish() {
    join
    if [ -f "$steps/skipped" ]; then
        printf '\n== skipped\n'
        cat "$steps/skipped"
    fi
    if [ -f "$steps/failed" ]; then
        printf '\n== FAILED\n'
        cat "$steps/failed"
        exit 1
    fi
    exit 0
}

give_up() {
    echo "  $1" >>"$steps/failed"
    finish
}

# Ends a process and all that it started.
end_tree() {
    for child in $(pgrep -P "$1" 2>/dev/null); do
        end_tree "$child"
    done
    kill "$1" 2>/dev/null
}

# On any end of the script: of an interrupted one, names the steps that ran.
end_lanes() {
    status=$?
    for lane in $lanes; do
        end_tree "${lane%%:*}"
    done
    for name in "$steps"/*.name; do
        [ ! -f "$name" ] || echo "interrupted: $(cat "$name")"
    done
    rm -rf "$steps"
    exit "$status"
}
