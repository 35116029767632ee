package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.LargerBodies;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CheckpointSettings.class)
class CheckpointConfiguration {

    @Bean
    LargerBodies checkpointBodies(CheckpointSettings settings) {
        return new LargerBodies(
                Pattern.compile("/api/v1/assignments/[^/]+/checkpoints/[^/]+"),
                (int) settings.largest().toBytes());
    }
}
