package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How a gradient becomes a parameter step. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes(@JsonSubTypes.Type(value = OptimizerSpec.Sgd.class, name = "sgd"))
public sealed interface OptimizerSpec {

    /** {@code w <- w - learningRate * g}, in float32, where a smaller rate would become zero. */
    record Sgd(double learningRate) implements OptimizerSpec {

        public Sgd {
            Rules.atLeast("learningRate", learningRate, Float.MIN_NORMAL);
        }
    }
}
