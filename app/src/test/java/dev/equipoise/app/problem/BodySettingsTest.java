package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class BodySettingsTest {

    private static BodySettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.body", BodySettings.class);
    }

    @Test
    void bodyTimeoutGrowsWithItsSize() {
        BodySettings settings = bound(Map.of());

        assertThat(settings.patience(0)).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.patience(1 << 20)).isEqualTo(Duration.ofSeconds(46));
    }

    @Test
    void tooLittleMemoryFailsTheStart() {
        Throwable failure = catchThrowable(() -> bound(Map.of("equipoise.body.memory", "3MB")));

        assertThat(ExceptionText.innermost(failure))
                .isEqualTo("equipoise.body.memory must be at least 4MB, but was 3145728B");
    }

    @ParameterizedTest
    @CsvSource({"patience, 0s, PT0S and 65536B", "per-second, 0B, PT30S and 0B"})
    void nonPositiveTimeoutFailsTheStart(String name, String value, String values) {
        Throwable failure = catchThrowable(() -> bound(Map.of("equipoise.body." + name, value)));

        assertThat(ExceptionText.innermost(failure))
                .isEqualTo(
                        "equipoise.body.patience and .per-second must be positive, but were "
                                + values);
    }
}
