#!/bin/sh
# usage: run-program.sh service|launcher|models JAVA [OPTIONS OF JAVA] [ARGUMENTS]
# Runs a program of Equipoise with its options of the JVM. Called by ./equipoise of a checkout and by that of an
# installation, so that both run the programs alike.
set -eu

fail() { # SENTENCE STATUS
    printf 'equipoise: %s\n' "$1" >&2
    exit "$2"
}

run_service() { # JAVA OPTIONS
    set -- -Xmx512m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED "$@"
    restarts=${EQUIPOISE_RESTARTS:-5}
    case $restarts in
        '' | *[!0-9]*) fail "EQUIPOISE_RESTARTS must be a whole number, but was '$restarts'" 2 ;;
        0) exec "$java" "$@" ;;
        *) supervise_service "$@" ;;
    esac
}

# Starts the service again when it has run out of memory, which the JVM tells by status 3; any other end is final.
supervise_service() { # JAVA OPTIONS
    service=
    stopped=
    restarted=0
    trap 'stopped=yes; kill "$service" 2>/dev/null || true' HUP INT TERM
    while :; do
        started=$(date +%s)
        await_service "$@"
        if [ $status -ne 3 ] || [ -n "$stopped" ]; then exit $status; fi
        [ $(($(date +%s) - started)) -lt 600 ] || restarted=0
        service=
        [ $restarted -lt "$restarts" ] ||
            fail "the service ran out of memory $((restarted + 1)) times within 10 minutes of its start; its log tells what it did" 3
        restarted=$((restarted + 1))
        echo "equipoise: the service ran out of memory and starts again (restart $restarted of $restarts)" >&2
    done
}

await_service() { # JAVA OPTIONS
    "$java" "$@" &
    service=$!
    status=0
    [ -n "$stopped" ] || wait "$service" || status=$?
    [ -n "$stopped" ] || return 0
    # A signal that arrives before the JVM has begun is lost.
    while kill "$service" 2>/dev/null; do sleep 1; done
    status=0
    wait "$service" || status=$?
}

program=$1
java=$2
shift 2
case $program in
    service)
        run_service "$@"
        ;;
    launcher)
        exec "$java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "$@"
        ;;
    models)
        OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OPENBLAS_NUM_THREADS=1
        export OMP_NUM_THREADS OPENBLAS_NUM_THREADS
        exec "$java" -Xmx2g -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
            --sun-misc-unsafe-memory-access=allow -Dlogback.configurationFile=logback-command.xml "$@"
        ;;
    *)
        fail "there is no program '$program'" 2
        ;;
esac
