package dev.equipoise.agent.optimizer;

import dev.equipoise.protocol.OptimizerSpec;

/** Update rule of an optimizer. */
sealed interface Rule permits Sgd, Momentum, Adam {

    static Rule of(OptimizerSpec spec) {
        return switch (spec) {
            case OptimizerSpec.Sgd sgd when sgd.momentum() == 0 -> new Sgd();
            case OptimizerSpec.Sgd sgd -> new Momentum((float) sgd.momentum(), sgd.nesterov());
            case OptimizerSpec.Adam adam -> new Adam(adam.beta1(), adam.beta2(), adam.epsilon(), 0);
            case OptimizerSpec.AdamW adam ->
                    new Adam(adam.beta1(), adam.beta2(), adam.epsilon(), adam.weightDecay());
        };
    }

    /** Returns the number of state vectors. */
    int vectors();

    /**
     * Returns the update of one step.
     *
     * @param step from 1
     */
    Update update(long step, double learningRate);

    /** Update of one step, applied to block after block of the parameters. */
    interface Update {
        void apply(Block block);
    }
}
