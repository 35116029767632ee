package dev.equipoise.app.rate;

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

class RateSettingsTest {

    private static RateSettings bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.rate", RateSettings.class);
    }

    @Test
    void allSettingsHaveDefaults() {
        RateSettings settings = bound(Map.of());

        assertThat(settings.user()).isEqualTo(new RateSettings.Limit(300, 100));
        assertThat(settings.agent()).isEqualTo(new RateSettings.Limit(300, 100));
        assertThat(settings.signIn())
                .isEqualTo(new RateSettings.SignInLimit(10, Duration.ofMinutes(1)));
        assertThat(settings.signInName())
                .isEqualTo(new RateSettings.SignInNameLimit(100, Duration.ofHours(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "user.burst, 0",
        "user.per-second, -1",
        "agent.burst, 1000000001",
        "agent.per-second, 0",
        "sign-in.attempts, 0",
        "sign-in-name.attempts, 0",
    })
    void rateOutOfRangeFailsTheStart(String name, String value) {
        Throwable failure = catchThrowable(() -> bound(Map.of("equipoise.rate." + name, value)));

        assertThat(ExceptionText.innermost(failure))
                .isEqualTo(
                        "equipoise.rate.%s must be from 1 to 1000000000, but was %s"
                                .formatted(name, value));
    }

    @ParameterizedTest
    @CsvSource({
        "sign-in.period, 0s, PT0S",
        "sign-in.period, -1m, PT-1M",
        "sign-in.period, 25h, PT25H",
        "sign-in-name.period, 25h, PT25H",
    })
    void periodOutOfRangeFailsTheStart(String name, String value, String told) {
        Throwable failure = catchThrowable(() -> bound(Map.of("equipoise.rate." + name, value)));

        assertThat(ExceptionText.innermost(failure))
                .isEqualTo(
                        "equipoise.rate.%s must be from PT1S to PT24H, but was %s"
                                .formatted(name, told));
    }
}
