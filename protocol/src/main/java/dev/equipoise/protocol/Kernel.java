package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Kernel of a profile: the computation whose time over its size is a worker's speed function. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Kernel.TrainingStep.class, name = "training-step"),
    @JsonSubTypes.Type(value = Kernel.Gemm.class, name = "gemm")
})
public sealed interface Kernel {

    /** Returns a unique name, for example {@code training-step:mnist-cnn}. */
    String label();

    /**
     * Forward pass, backward pass and update of a network; the size is the mini-batch, in samples.
     *
     * @param network name of the architecture
     */
    record TrainingStep(String network) implements Kernel {

        public TrainingStep {
            Rules.text("network", network, 200);
        }

        @Override
        public String label() {
            return "training-step:" + network;
        }
    }

    /** Product of two square float32 matrices; the size is the side of a matrix. */
    record Gemm() implements Kernel {

        @Override
        public String label() {
            return "gemm";
        }
    }
}
