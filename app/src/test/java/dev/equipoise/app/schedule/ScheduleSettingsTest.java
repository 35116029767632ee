package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.ExceptionText;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ScheduleSettingsTest {

    private static ScheduleSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.schedule", ScheduleSettings.class);
    }

    @ParameterizedTest
    @CsvSource({
        "ageing, -1s",
        "preempt-after, -1s",
        "spare-for, -1s",
    })
    void durationOutOfRangeIsRejected(String name, String value) {
        Throwable refused =
                catchThrowable(() -> bound(Map.of("equipoise.schedule." + name, value)));

        assertThat(ExceptionText.innermost(refused))
                .startsWith("equipoise.schedule." + name + " must");
    }
}
