package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A piece of work whose time over its size makes a worker's speed function. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Kernel.TrainingStep.class, name = "training-step"),
    @JsonSubTypes.Type(value = Kernel.Gemm.class, name = "gemm")
})
public sealed interface Kernel {

    /** A name that tells kernels apart, for example {@code training-step:mnist-cnn}. */
    String label();

    /**
     * Forward, backward and update of a network; the size is the mini-batch in samples.
     *
     * @param network the architecture's name
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

    /** The product of two square float32 matrices; the size is their side. */
    record Gemm() implements Kernel {

        @Override
        public String label() {
            return "gemm";
        }
    }
}
