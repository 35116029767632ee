package dev.equipoise.app.rate;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RateSettings.class)
class RateConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> sharedConnections() {
        return server -> server.setProtocol(SharedProtocol.class.getName());
    }
}
