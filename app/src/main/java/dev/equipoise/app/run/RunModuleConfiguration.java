package dev.equipoise.app.run;

import dev.equipoise.app.recovery.RecoverySettings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RecoverySettings.class)
class RunModuleConfiguration {}
