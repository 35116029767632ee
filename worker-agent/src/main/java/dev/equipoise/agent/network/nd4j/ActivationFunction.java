package dev.equipoise.agent.network.nd4j;

/** Activation function, with its derivative as a function of its result. */
enum ActivationFunction {
    RELU {
        @Override
        float at(float x) {
            return Math.max(x, 0);
        }

        @Override
        float slope(float y) {
            return y > 0 ? 1 : 0;
        }
    },

    SIGMOID {
        @Override
        float at(float x) {
            return (float) (1 / (1 + Math.exp(-x)));
        }

        @Override
        float slope(float y) {
            return y * (1 - y);
        }
    },

    TANH {
        @Override
        float at(float x) {
            return (float) Math.tanh(x);
        }

        @Override
        float slope(float y) {
            return 1 - y * y;
        }
    };

    abstract float at(float x);

    abstract float slope(float y);
}
