package dev.equipoise.app;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/** Disables all scheduled methods: a test calls those that it needs. */
@TestConfiguration(proxyBeanMethods = false)
class WithoutSchedule {

    @Bean
    static BeanFactoryPostProcessor withoutSchedule() {
        return beans ->
                ((BeanDefinitionRegistry) beans)
                        .removeBeanDefinition(
                                TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME);
    }
}
