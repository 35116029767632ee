package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.BodyLimitExemption;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({CheckpointSettings.class, ModelSettings.class})
class CheckpointConfiguration {

    /** Creates the store; Spring closes a closeable one with the service. */
    @Bean
    CheckpointStore checkpointStore(CheckpointSettings settings) {
        return settings.store();
    }

    @Bean
    BodyLimitExemption checkpointBodies() {
        return new BodyLimitExemption(
                Pattern.compile("/api/v1/assignments/[^/]+/checkpoints/[^/]+"),
                // The receiver checks the size itself, since the run must learn that a part is too
                // large.
                Long.MAX_VALUE,
                true);
    }

    @Bean
    BodyLimitExemption modelBodies() {
        return new BodyLimitExemption(
                Pattern.compile("/api/v1/assignments/[^/]+/model/[^/]+"),
                // The receiver checks the size itself, since the run's log must name the limit.
                Long.MAX_VALUE,
                true);
    }
}
