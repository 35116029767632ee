package dev.equipoise.agent.network;

import dev.equipoise.agent.network.Layer.MaxPool;

record MaxPoolStep(Runnable pool, Runnable poolBackward) implements Step {

    static Step of(MaxPool layer, Activation in, Activation out) {
        return new MaxPoolStep(
                Operations.pool(layer, in.value(), out.value()),
                Operations.poolBackward(layer, in.value(), out.gradient(), in.gradient()));
    }

    @Override
    public void forward() {
        pool.run();
    }

    @Override
    public void backward() {
        poolBackward.run();
    }
}
