package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Instructions of an assignment about trained models.
 *
 * @param keeping which model the ranks store; null for none
 * @param initial model with whose weights the run begins; null for random ones
 */
public record ModelInstructions(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ModelKeeping keeping,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable InitialModel initial) {}
