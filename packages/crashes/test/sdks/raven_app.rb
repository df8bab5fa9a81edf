# An app with Ruby's sentry-raven: an error with a cause.
require 'raven'

Raven.configure do |config|
  config.dsn = ENV['DSN']
  config.release = 'shop@2.1.0+42'
  config.current_environment = 'staging'
  config.server_name = 'host.example'
  config.project_root = File.dirname(__dir__)
  config.silence_ready = true
end
Raven.user_context(id: 'ten', email: 'ada@example.com')
Raven.tags_context(tenant: 'acme')
Raven.breadcrumbs.record { |crumb| crumb.category = 'cart'; crumb.message = 'opened by ada@example.com' }

def load_cart
  {}.fetch('cart')
end

def pay
  load_cart
rescue KeyError
  raise ArgumentError, 'no cart for ada@example.com'
end

begin
  pay
rescue ArgumentError => error
  Raven.capture_exception(error)
end
