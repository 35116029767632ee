package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.ProblemCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {

    /** An agent takes a problem with an unknown code for the answer of a proxy. */
    @Test
    void agentsKnowTheCodesOfTheServiceAndNoOthers() {
        assertThat(Arrays.stream(ProblemCode.values()).map(ProblemCode::text))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList());
    }
}
