package dev.equipoise.app.problem;

import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the limits of request bodies. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BodySettings.class)
class BodyConfiguration {

    @Bean
    BodyLimit bodyLimit(
            ProblemWriter problems, List<BodyLimitExemption> exemptions, BodySettings settings) {
        return new BodyLimit(problems, exemptions, settings, System::nanoTime);
    }
}
