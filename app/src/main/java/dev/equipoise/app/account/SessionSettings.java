package dev.equipoise.app.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How browsers stay signed in.
 *
 * @param life how long after signing in
 */
@ConfigurationProperties("equipoise.session")
record SessionSettings(@DefaultValue("12h") Duration life) {}
