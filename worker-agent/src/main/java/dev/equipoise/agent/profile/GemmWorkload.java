package dev.equipoise.agent.profile;

import dev.equipoise.agent.network.Gemm;
import dev.equipoise.agent.time.Pace;

/** Matrix products, one after the other, at the worker's pace. */
final class GemmWorkload implements Workload {

    private final Pace pace;
    private Gemm gemm = new Gemm(1);

    GemmWorkload(Pace pace) {
        this.pace = pace;
    }

    @Override
    public Runnable at(int size) {
        gemm.close();
        gemm = new Gemm(size);
        return this::multiply;
    }

    @Override
    public void close() {
        gemm.close();
    }

    private void multiply() {
        pace.begin();
        gemm.run();
        pace.end();
    }
}
