package dev.equipoise.agent.profile;

import dev.equipoise.agent.network.Gemm;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.time.Pace;

/** Matrix products, one after the other, at the worker's pace. */
final class GemmWorkload implements Workload {

    private final Pace pace;
    private final Backend backend;
    private Gemm gemm;

    GemmWorkload(Pace pace, Backend backend) {
        this.pace = pace;
        this.backend = backend;
        this.gemm = new Gemm(1, backend);
    }

    @Override
    public Runnable at(int size) {
        gemm.close();
        gemm = new Gemm(size, backend);
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
