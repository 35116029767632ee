package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.LargerBodies;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CheckpointSettings.class)
class CheckpointConfiguration {

    /** Closed with the service, where it is one that can be. */
    @Bean
    CheckpointStore checkpointStore(CheckpointSettings settings) {
        return settings.store();
    }

    @Bean
    LargerBodies checkpointBodies() {
        return new LargerBodies(
                Pattern.compile("/api/v1/assignments/[^/]+/checkpoints/[^/]+"),
                // Who takes them looks at that itself, as a run must know that it is too large.
                Long.MAX_VALUE);
    }
}
