import '@mantine/core/styles/InlineInput.layer.css';
