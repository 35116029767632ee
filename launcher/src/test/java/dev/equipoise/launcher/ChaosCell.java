package dev.equipoise.launcher;

/**
 * A combination of the chaos test.
 *
 * @param rank rank of the run whose agent the fault strikes, if it strikes one
 */
record ChaosCell(Fault fault, Method method, int rank) {

    @Override
    public String toString() {
        return "%s; %s; rank %d".formatted(fault, method, rank);
    }
}
