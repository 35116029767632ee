package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

class IdTest {

    /** JSON mappers turn an empty text into null. */
    @Test
    void rejectsAnEmptyId() {
        for (Class<?> id : new Class<?>[] {WorkerId.class, RunId.class, AssignmentId.class}) {
            assertThatExceptionOfType(DatabindException.class)
                    .isThrownBy(() -> JsonMapper.shared().readValue("\"\"", id))
                    .withStackTraceContaining("must be given");
        }
    }
}
