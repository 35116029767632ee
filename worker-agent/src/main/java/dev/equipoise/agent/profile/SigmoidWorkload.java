package dev.equipoise.agent.profile;

import dev.equipoise.agent.network.Sigmoids;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.time.Throttle;

/** Sigmoids of a hidden layer at the throttled speed of the worker; the size is in samples. */
final class SigmoidWorkload implements Workload {

    private final int units;
    private final Throttle throttle;
    private final Backend backend;
    private Sigmoids sigmoids;

    /**
     * @param units hidden units, and so sigmoids of a sample
     */
    SigmoidWorkload(int units, Throttle throttle, Backend backend) {
        this.units = units;
        this.throttle = throttle;
        this.backend = backend;
        this.sigmoids = new Sigmoids(1, units, backend);
    }

    @Override
    public Runnable at(int size) {
        sigmoids.close();
        sigmoids = new Sigmoids(size, units, backend);
        return this::apply;
    }

    @Override
    public void close() {
        sigmoids.close();
    }

    private void apply() {
        throttle.begin();
        sigmoids.run();
        throttle.end();
    }
}
