package dev.equipoise.app.database;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class ClockConfiguration {

    @Bean
    DatabaseClock clock(JdbcClient database) {
        return new DatabaseClock(Clock.systemUTC(), database);
    }
}
