package dev.equipoise.app.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of browser sessions.
 *
 * @param life the lifetime of a session after the sign-in
 */
@ConfigurationProperties("equipoise.session")
record SessionSettings(@DefaultValue("12h") Duration life) {}
