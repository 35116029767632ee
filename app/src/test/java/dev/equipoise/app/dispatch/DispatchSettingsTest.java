package dev.equipoise.app.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.ExceptionText;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class DispatchSettingsTest {

    private static DispatchSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.schedule", DispatchSettings.class);
    }

    @Test
    void leaseLastsAtLeastOneSecond() {
        assertThat(bound(Map.of()).lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(bound(Map.of("equipoise.schedule.lease", "1s")).lease())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({
        "half-life, 0s",
        "lease, 999ms",
    })
    void durationOutOfRangeIsRejected(String name, String value) {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.schedule." + name, value)));

        assertThat(ExceptionText.innermost(refused))
                .startsWith("equipoise.schedule." + name + " must");
    }
}
