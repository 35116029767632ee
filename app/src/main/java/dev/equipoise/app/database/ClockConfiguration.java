package dev.equipoise.app.database;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Provides the clock of the service, which follows the database, and a ticker for durations. */
@Configuration(proxyBeanMethods = false)
class ClockConfiguration {

    @Bean
    DatabaseClock clock(JdbcClient database) {
        return new DatabaseClock(Clock.systemUTC(), database);
    }

    /**
     * Measures how long a caller has waited. The clock cannot: it follows the database's clock, and
     * an adjustment would lengthen or end the wait.
     */
    @Bean
    Ticker ticker() {
        return Ticker.systemTicker();
    }
}
