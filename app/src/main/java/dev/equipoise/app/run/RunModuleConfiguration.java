package dev.equipoise.app.run;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({StreamSettings.class, RecoverySettings.class})
class RunModuleConfiguration {}
