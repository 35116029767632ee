package dev.equipoise.app.account;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Binds a separate management port to the address of the service, unless another address is set.
 * Spring Boot rejects a management address without such a port.
 */
class ManagementAddress implements EnvironmentPostProcessor {

    private static final String ADDRESS = "management.server.address";

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        String own = environment.getProperty("server.address");
        if (own != null && ManagementPortType.get(environment) == ManagementPortType.DIFFERENT) {
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("management", Map.of(ADDRESS, own)));
        }
    }
}
