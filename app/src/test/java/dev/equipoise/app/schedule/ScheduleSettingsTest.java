package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.Reason;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ScheduleSettingsTest {

    private static ScheduleSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.schedule", ScheduleSettings.class);
    }

    @Test
    void aLeaseMayBeASecond() {
        assertThat(bound(Map.of()).lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(bound(Map.of("equipoise.schedule.lease", "1s")).lease())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({
        "half-life, 0s",
        "ageing, -1s",
        "preempt-after, -1s",
        "spare-for, -1s",
        "lease, 999ms",
    })
    void refusesADurationOutOfRange(String name, String value) {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.schedule." + name, value)));

        assertThat(Reason.innermost(refused)).startsWith("equipoise.schedule." + name + " must");
    }
}
